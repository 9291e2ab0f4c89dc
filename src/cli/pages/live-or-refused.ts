import type { LiveRun, WithLiveRun } from '../../app/running/live-runs.ts';
import type { Extended } from '../../runtime/extend-run.ts';
import type { Resumed } from '../../runtime/resume-run.ts';
import { refusal } from './refusal-text.ts';

/** The live run of a result. Throws a `Complaint` where the run was not resumed or extended. */
export function liveOrRefused(result: WithLiveRun<Resumed> | WithLiveRun<Extended>, run: string): LiveRun {
  if (result.kind === 'live') return result.live;
  throw refusal(result, run);
}
