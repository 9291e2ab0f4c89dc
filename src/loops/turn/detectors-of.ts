import type { DetectorChoice, RunSettings } from '../../../machines/settings.ts';
import { completeChoice } from '../../detectors/complete-choice.ts';
import type { IdenticalResults } from '../../detectors/identical-calls.ts';

type Asked = Pick<RunSettings, 'loop' | 'agent' | 'parent'>;

/**
 * Says for `identical-calls` where a choice does not say it: results count in every run but a bare turn, which no agent
 * page and no other run has begun.
 */
export const resultsIn = ({ loop, agent, parent }: Asked): IdenticalResults =>
  loop === 'turn' && agent == null && parent === null ? 'ignore' : 'count';

/** Returns the detectors of a run from the user's choice. */
export const detectorsOf = (chosen: readonly DetectorChoice[] | undefined, asked: Asked): DetectorChoice[] =>
  completeChoice(chosen, resultsIn(asked));
