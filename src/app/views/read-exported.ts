import { obstacleOf } from '../running/obstacle.ts';
import type { RecordedRuns } from '../records/runs-of-log.ts';
import { runChange } from '../changes/run-change.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { IntactTree } from '../../runtime/intact.ts';
import { rebuild } from '../../runtime/load-run.ts';
import { type ChangeView, changeView } from './change-view.ts';
import { chartLayout, type ChartLayout } from './chart-layout.ts';
import { type ConversationView, readConversation } from './conversation-view.ts';
import { readReport, type ReportView } from './report-view.ts';
import { readRunView } from './read-run-view.ts';
import type { RunSpan } from './run-spans.ts';
import type { RunSteps } from './run-steps.ts';
import { RunTracer } from './run-tracer.ts';
import type { RunView } from './run-parts-view.ts';

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

/** What a short export of a run is made of. `change` null: its captures or its repository are not there. */
export interface RunOutline {
  readonly view: RunView;
  readonly change: ChangeView | null;
}

/** Everything that the page of a run shows. The charts are null where its loop is not known or not laid out here. */
export interface RunExport extends RunOutline {
  readonly steps: RunSteps;
  readonly spans: readonly RunSpan[];
  readonly chart: ChartLayout | null;
  readonly wholeChart: ChartLayout | null;
  readonly conversation: ConversationView;
  /** Null: its loop has no report, or not all of it can be read. */
  readonly report: ReportView | null;
}

/**
 * Reads a run for a short export. Null where its start cannot be read. Throws a `LogError` where the history of the
 * run, or of one below it, was changed.
 */
export async function readOutline(host: Host, record: RunRecord): Promise<RunOutline | null> {
  const intact = new IntactTree(host.log, record.run);
  await intact.assert();
  const view = await readRunView(host, record);
  return view && { view, change: await changeOf(host, record.run, intact) };
}

/** The same for a page. A run that talks to no model itself has the conversation of its last child. */
export async function readExported(host: Host, record: RunRecord): Promise<RunExport | null> {
  const outline = await readOutline(host, record);
  if (!outline) return null;
  const { run } = record;
  const tracer = new RunTracer(host, run);
  await tracer.advance();
  const own = await readConversation(host, run);
  const last = outline.view.children.at(-1);
  const conversation = own.messages.length > 0 || last === undefined ? own : await readConversation(host, last);
  return {
    ...outline,
    ...(await chartsOf(host, run)),
    steps: tracer.steps(),
    spans: await tracer.spans(),
    conversation,
    report: outline.view.isReported ? await readReport(host, run) : null,
  };
}

async function chartsOf({ log, definitions }: Host, run: string): Promise<Pick<RunExport, 'chart' | 'wholeChart'>> {
  const none = { chart: null, wholeChart: null };
  const folded = await rebuild(log, run, undefined, definitions);
  if (folded.kind !== 'loaded') return none;
  const { entry } = folded.state;
  try {
    return { chart: await chartLayout(entry, 1), wholeChart: await chartLayout(entry) };
  } catch (error) {
    if (obstacleOf(error) === 'environment') return none;
    throw error;
  }
}

async function changeOf(host: Host, run: string, intact: IntactTree): Promise<ChangeView | null> {
  try {
    const change = await runChange(host, run, {}, intact);
    return change.kind === 'change' ? await changeView(change) : null;
  } catch (error) {
    if (obstacleOf(error) === 'environment') return null;
    throw error;
  }
}
