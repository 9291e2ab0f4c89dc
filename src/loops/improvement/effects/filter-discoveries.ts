import type { EventOf, LoopEvent } from '../../../../machines/events.ts';
import { scoresIn, scoringPrompt } from '../filter/score-prompt.ts';
import { weighed } from '../filter/weigh-findings.ts';
import { askModel } from '../../shared/effects/ask-model.ts';
import { repeatableExecution } from '../../shared/effects/execution.ts';
import type { Effect, EffectRequest, EffectWork } from '../../shared/effect.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { asking, memoryOf } from './improvement-request.ts';

type Services = Pick<EffectServices, 'ask' | 'cheapestOf'>;
type Filtered = EventOf<'filter.completed'>['payload'];

/**
 * Chooses what is tried. Where a model is named, or the cheapest one of the run's provider is known, its scores replace
 * those of the rules; where it cannot be used, the rules' scores stand, and the event says why.
 */
const filterDiscoveries = (services: Services): EffectWork => ({
  execute: (request) =>
    repeatableExecution(async function* (call) {
      const { discoveries, options } = memoryOf(request);
      const { filter } = options.phases;
      const { settings } = request.memory;
      const model = filter.enabled ? (filter.model ?? (await services.cheapestOf(settings.model))) : null;
      if (model === null || discoveries.length === 0) {
        yield filtered(request);
        return;
      }
      const question = { prompt: scoringPrompt(discoveries, settings.prompt), model };
      const said = await askModel(question, request, services, call);
      const { usage } = said;
      switch (said.kind) {
        case 'interrupted':
          yield { type: 'filter.interrupted', payload: { reason: String(call.signal.reason), usage } };
          return;
        case 'failed':
          yield filtered(request, { usage, fault: said.fault });
          return;
        case 'answered': {
          const scores = scoresIn(said.text, discoveries);
          yield scores ? filtered(request, { usage }, scores) : filtered(request, { usage, fault: UNREADABLE });
        }
      }
    }),
});

const UNREADABLE = {
  code: 'scores_unreadable',
  message: 'the model did not answer with the JSON of scores that it was asked for: the scores of the rules stand',
};

function filtered(
  { memory }: EffectRequest,
  asked: Pick<Filtered, 'usage' | 'fault'> = {},
  scores?: ReadonlyMap<string, number>,
): LoopEvent {
  const { discoveries, options } = memoryOf({ memory });
  const { candidates, ...counts } = weighed(discoveries, options.phases.filter, scores);
  return { type: 'filter.completed', payload: { candidates: [...candidates], ...counts, ...asked } };
}

export const filter: Effect = { ...asking('filter.interrupted'), handler: filterDiscoveries };
