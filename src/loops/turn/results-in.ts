import type { RunSettings } from '../../../machines/settings.ts';
import type { IdenticalResults } from '../../detectors/identical-calls.ts';

/**
 * Says for `identical-calls` where a choice does not say it: results count in every run but a bare turn, which no agent
 * page and no other run has begun.
 */
export const resultsIn = ({ loop, agent, parent }: Pick<RunSettings, 'loop' | 'agent' | 'parent'>): IdenticalResults =>
  loop === 'turn' && agent == null && parent === null ? 'ignore' : 'count';
