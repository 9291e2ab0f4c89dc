import type { TestReport } from '../../../machines/events.ts';
import { MAX_REPORT_BYTES, type ReportText } from './report-file.ts';
import { gravest, readReport } from './read-report.ts';

/** What a check that has run to its end leaves to judge. */
export interface Evidence {
  readonly exitCode: number | null;
  /** Null: more than is looked through. */
  readonly printed: string | null;
  /** Of the report's file; null where the check names none. */
  readonly file: { readonly path: string; readonly content: ReportText } | null;
}

export interface Verdict {
  readonly passed: boolean;
  readonly tests: TestReport | null;
  /** What neither exit code nor output says. */
  readonly notes: readonly string[];
}

/**
 * A check passes by exiting with 0, unless a report of its tests shows one that failed. So a report can only make the
 * verdict stricter: none, or one that cannot be read, changes nothing.
 */
export function verdictOn({ exitCode, printed, file }: Evidence): Verdict {
  const written = file?.content.kind === 'read' ? readReport(file.content.text) : null;
  const tests = gravest([written, printed === null ? null : readReport(printed)]);
  const passed = exitCode === 0 && (tests === null || tests.failed === 0);
  const notes = [fileNote(file, written), ...(tests ? [testsNote(tests, exitCode)] : [printedNote(printed)])];
  return { passed, tests, notes: notes.filter((note) => note !== '') };
}

function fileNote(file: Evidence['file'], written: TestReport | null): string {
  if (!file || written) return '';
  const why = file.content.kind === 'unread' ? file.content.why : 'it is no whole JUnit, TAP or JSON report';
  return `the report ${file.path} was not used: ${why}`;
}

function testsNote({ failed, passed, skipped }: TestReport, exitCode: number | null): string {
  if (failed > 0) return exitCode === 0 ? `exited with 0, but its report shows ${failed} failed` : '';
  if (passed + skipped === 0) return 'its report shows no tests at all';
  return exitCode === 0 || exitCode === null ? '' : `exited with ${exitCode}, though its report shows no failed test`;
}

const printedNote = (printed: string | null): string =>
  printed === null ? `no report was looked for in more than ${MAX_REPORT_BYTES} bytes of output` : '';
