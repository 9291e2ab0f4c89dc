import type { RecordedRuns } from '../records/runs-of-log.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { readRemedy } from '../../projections/read-questions.ts';
import { askedView } from './question-in-view.ts';
import type { Standing } from './run-status.ts';
import type { RunView } from './run-parts-view.ts';
import { shownText } from './line-for-view.ts';

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

/** What a run waits for people to answer, or to mend. */
export async function readWaiting(
  host: Host,
  record: RunRecord,
  standing: Standing,
): Promise<Pick<RunView, 'questions' | 'remedy'>> {
  const open = 'questions' in standing ? standing.questions : [];
  const remedy = await readRemedy(host.log, record, host.definitions);
  return {
    questions: await Promise.all(open.map((question) => askedView(host, record.root, question))),
    remedy: remedy === null ? null : shownText(remedy.text),
  };
}
