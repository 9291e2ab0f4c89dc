import type { Effect } from '../shared/effect.ts';
import { askPerson } from '../shared/effects/ask-person.ts';
import { attempt } from '../shared/effects/run-child.ts';
import { sharedEffects } from '../shared-effects.ts';
import { discovery } from './effects/discover.ts';
import { evaluation } from './effects/evaluate-candidate.ts';
import { filter } from './effects/filter-discoveries.ts';
import { integration } from './effects/integrate-candidate.ts';
import { preparation } from './effects/prepare-experiment.ts';
import { plans } from './effects/write-plans.ts';
import { experimentSettings } from './experiment-settings.ts';
import { admittedExperiment } from './improvement-rounds.ts';
import { repeatable } from './effects/improvement-request.ts';

/** The effects of the improvement loop. */
export const improvementEffects: Readonly<Record<string, Effect>> = {
  judge: sharedEffects.judge,
  timer: sharedEffects.timer,
  takeBaseline: sharedEffects.takeBaseline,
  summarise: sharedEffects.summarise,
  endStrategy: sharedEffects.endStrategy,
  discover: discovery,
  filterDiscoveries: filter,
  admitExperiment: { class: 'repeatable', interrupted: null, decide: admittedExperiment },
  writePlans: plans,
  prepareExperiment: preparation,
  runAgent: { ...attempt, opens: experimentSettings, opensLater: true },
  evaluateCandidate: evaluation,
  askAboutIntegration: { ...repeatable('approval.interrupted'), asksPerson: true, handler: askPerson },
  integrateCandidate: integration,
};
