import type { RunReport } from '../../app/records/run-tracker.ts';
import { newestReported } from '../../app/records/newest-reported.ts';
import { unreadableSentence } from '../../log/unreadable.ts';
import { findRun, type RunReference, shortId } from '../args/find-run.ts';
import { asJson } from '../pages/as-json.ts';
import { Complaint, usage } from '../pages/complaint.ts';
import { markdownPage } from '../pages/report/markdown-page.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

const EXPORT = ['export', 'RUN', '--as', 'html', '--to', 'run.html'];

export interface ReportCall {
  /** Part of its id; `true` is the newest. Absent: no report is asked for. */
  readonly run: string | true | undefined;
  /** A file for a page, which `export` writes. */
  readonly html: string | undefined;
  /** What a new run would be about: a report has none. */
  readonly focus: string | undefined;
  /** Its data, in place of Markdown. */
  readonly json?: boolean | undefined;
}

/** Prints the report on a run as Markdown or as JSON. Without a run: on the newest whose loop has reports. */
export async function report(session: Session, { run: asked, html, focus, json }: ReportCall): Promise<number> {
  if (html !== undefined || asked === undefined)
    throw usage(
      '--html',
      'no page of a report alone: export RUN --as html writes it with its run',
      `'${html}'`,
      EXPORT,
    );
  if (focus !== undefined) throw usage('--report', 'no words beside it', `'${focus}'`);
  const { out } = session.streams;
  const reference = { run: asked === true ? undefined : asked, last: false };
  const loops = await session.loops('read', { runs: [reference], otherwise: 'warn' });
  const run = await reportedRun(loops, reference);
  const read = await loops.report(run);
  await loops.log.close();
  if (read.kind !== 'report') throw noReport(read, run);
  if (json) out.line(asJson({ run, ...read.data }, 2));
  else for (const line of markdownPage(read.report).split('\n')) out.line(line);
  return 0;
}

async function reportedRun(loops: Parameters<typeof newestReported>[0], reference: RunReference): Promise<string> {
  if (reference.run !== undefined) return (await findRun(loops.log, reference)).run;
  const newest = await newestReported(loops);
  if (newest === null) throw usage('RUN', 'a run whose loop has reports; this log has none', 'nothing', ['runs']);
  return newest;
}

function noReport(read: Exclude<RunReport, { kind: 'report' }>, run: string): Complaint {
  switch (read.kind) {
    case 'unknown_run':
      return usage('RUN', 'the id of a run in this log', `'${run}'`, ['runs']);
    case 'no_report':
      return usage('RUN', `a run of the loop ${read.known.join(' or ')}`, `one of the loop ${read.loop}`, [
        'show',
        shortId(run),
      ]);
    case 'unreadable':
      return new Complaint(EXIT.log, `the report needs every event: ${unreadableSentence(read.unreadable)}`, [
        'events',
        shortId(run),
      ]);
  }
}
