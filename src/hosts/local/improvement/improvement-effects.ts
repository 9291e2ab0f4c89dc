import type { Services } from '../services.ts';
import { discover } from './discover.ts';
import { evaluateCandidate } from './evaluate-candidate.ts';
import { filterDiscoveries } from './filter-discoveries.ts';
import { integrateCandidate } from './integrate-candidate.ts';
import { prepareExperiment } from './prepare-experiment.ts';
import { removingRefused } from './removing-refused.ts';
import { writePlans } from './write-plans.ts';

/** The effects of the improvement loop alone, by their names. */
export const improvementEffects = (services: Services) => ({
  discover: discover(services),
  evaluateCandidate: removingRefused(evaluateCandidate(services)),
  filterDiscoveries: filterDiscoveries(services),
  integrateCandidate: integrateCandidate(services),
  prepareExperiment,
  writePlans: writePlans(services),
});
