import type { AnyEvent } from '../../../../machines/events.ts';
import type { ImprovementContext } from '../../../../machines/improvement-progress.ts';
import type { Discovery } from '../../../../machines/improvement-facts.ts';
import type { Interruption } from '../../../kernel/effect-spec.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { ImprovementMemory } from '../memory.ts';
import type { Effect, EffectRequest } from '../../shared/effect.ts';

/** What the chart of the loop remembered when the effect was asked for. */
export const contextOf = ({ context }: Pick<EffectRequest, 'context'>): ImprovementContext =>
  lifeOf(context.state) as ImprovementContext;

export const memoryOf = ({ memory }: Pick<EffectRequest, 'memory'>): ImprovementMemory =>
  memory.judge.own as ImprovementMemory;

/** The candidate that is evaluated, or integrated. */
export function candidateOf(request: EffectRequest): Discovery {
  const { candidate } = contextOf(request);
  const found = memoryOf(request).candidate(candidate);
  if (!found)
    throw new TypeError(`${request.context.run}: ${candidate ?? 'nothing'} is no candidate of this iteration`);
  return found;
}

/** Doing it again does no harm: what it makes depends on the log and the trees that it names. */
export const repeatable = (type: string): Effect => ({
  class: 'repeatable',
  interrupted: (_, { reason }: Interruption): AnyEvent => ({ type, payload: { reason } }),
});

/** The same, where it may have asked a model: its whole reservation counts as used when it is lost. */
export const asking = (type: string): Effect => ({
  ...repeatable(type),
  spends: true,
  interrupted: (_, { reason, kept }: Interruption): AnyEvent => ({
    type,
    payload: { reason, ...(kept ? { usage: kept } : {}) },
  }),
});
