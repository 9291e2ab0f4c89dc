import type { AnyEvent } from '../../../machines/events.ts';
import type { EffectSpec, Interruption } from '../../kernel/effect-spec.ts';
import { attempt } from '../attempt-loop.ts';
import { sharedEffects } from '../shared-effects.ts';
import { experimentSettings } from './experiment-settings.ts';
import { admittedExperiment } from './improvement-rounds.ts';

/** Doing it again does no harm: what it makes depends on the log and the trees that it names. */
const repeatable = (type: string): EffectSpec => ({
  class: 'repeatable',
  interrupted: (_, { reason }: Interruption): AnyEvent => ({ type, payload: { reason } }),
});

/** The same, where it may have asked a model: its whole reservation counts as used when it is lost. */
const asking = (type: string): EffectSpec => ({
  ...repeatable(type),
  spends: true,
  interrupted: (_, { reason, kept }: Interruption): AnyEvent => ({
    type,
    payload: { reason, ...(kept ? { usage: kept } : {}) },
  }),
});

/** What each effect of the improvement loop is to a crash, an abort and a pause. */
export const improvementEffects: Readonly<Record<string, EffectSpec>> = {
  judge: sharedEffects.judge,
  timer: sharedEffects.timer,
  takeBaseline: sharedEffects.takeBaseline,
  summarise: sharedEffects.summarise,
  endStrategy: sharedEffects.endStrategy,
  discover: asking('discovery.interrupted'),
  filterDiscoveries: asking('filter.interrupted'),
  admitExperiment: { class: 'repeatable', interrupted: null, decide: admittedExperiment },
  writePlans: asking('plans.interrupted'),
  prepareExperiment: repeatable('preparation.interrupted'),
  runAgent: { ...attempt, opens: experimentSettings, opensLater: true },
  evaluateCandidate: asking('evaluation.interrupted'),
  askAboutIntegration: { ...repeatable('approval.interrupted'), asksPerson: true },
  integrateCandidate: repeatable('integration.interrupted'),
};
