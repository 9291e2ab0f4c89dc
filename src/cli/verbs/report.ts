import type { RunReport } from '../../hosts/local/run-report.ts';
import { newestReported } from '../../hosts/local/newest-reported.ts';
import { unreadableSentence } from '../../log/unreadable.ts';
import { findRun, type RunReference, shortId } from '../args/find-run.ts';
import { Complaint, usage } from '../pages/complaint.ts';
import { htmlPage } from '../pages/report/html-page.ts';
import { markdownPage } from '../pages/report/markdown-page.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { writeNew } from '../terminal/new-file.ts';

export interface ReportFlags {
  /** A file that does not exist yet. */
  readonly html?: string;
}

/**
 * Prints the report on a run as Markdown, and with `html` writes it into a file as one HTML page. Without a run: on the
 * newest whose loop has reports.
 */
export async function report(session: Session, reference: RunReference, { html }: ReportFlags): Promise<number> {
  const { out, err } = session.streams;
  const loops = await session.loops('read', { runs: [reference], otherwise: 'warn' });
  const run = await reportedRun(loops, reference);
  const read = await loops.report(run);
  await loops.log.close();
  if (read.kind !== 'report') throw noReport(read, run);
  for (const line of markdownPage(read.report).split('\n')) out.line(line);
  if (html === undefined) return 0;
  await writePage(html, htmlPage(read.report, read.patches));
  err.line(`written: ${html}`);
  return 0;
}

async function reportedRun(loops: Parameters<typeof newestReported>[0], reference: RunReference): Promise<string> {
  if (reference.run !== undefined || reference.last) return (await findRun(loops.log, reference)).run;
  const newest = await newestReported(loops);
  if (newest === null) throw usage('RUN', 'a run whose loop has reports; this log has none', 'nothing', ['runs']);
  return newest;
}

async function writePage(path: string, page: string): Promise<void> {
  const made = await writeNew(path, pieces(page)).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Complaint(EXIT.environment, `${path} cannot be written: ${why}`, null, { cause: error });
  });
  if (made === 'exists') throw usage('--html', 'a file that does not exist yet', `'${path}'`);
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
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
