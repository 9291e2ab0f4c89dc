import type { CheckResult, TestReport } from '../../../machines/events.ts';
import type { Check } from '../../../machines/settings.ts';
import type { SelectedTests } from '../../evidence/test-selection.ts';
import type { TestList } from '../../evidence/test-list.ts';
import { type CommandRequest, type CommandResult, runCommand } from '../subprocess.ts';
import type { Elsewhere } from '../elsewhere.ts';
import { endlessBecause } from '../agent-shell.ts';
import { Printed, type ReportText, watchReport } from './report-file.ts';
import { expectReports, type ReportPlace } from './report-place.ts';
import { givenEnvironment, reportingEnvironment } from './report-environment.ts';

/** Half of it is for the last lines, which say what failed. */
export const MAX_CHECK_OUTPUT_BYTES = 16_384;
/** Room for the line that says where all of it is. */
const NOTE_BYTES = 300;

export interface CheckRun {
  /** The run whose work is checked. */
  readonly run: string;
  readonly check: Check;
  readonly directory: string;
  readonly environment: readonly string[];
  /** In place of running it in the directory. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Where test runners are to report every test. Absent: they are told nothing. */
  readonly reports?: ReportPlace | undefined;
  /** Tests that runners which can are to run alone, by the name of their check. Absent: all. */
  readonly only?: ReadonlyMap<string, SelectedTests> | undefined;
  /** Keeps a long output whole, for the agent of the run. */
  readonly keepsOutput?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
}

/** What a check has come to. */
export interface RanCheck {
  readonly result: CheckResult;
  /** Every test by name, where runners were asked to report. Null: none is known. */
  readonly tests: TestList | null;
}

/**
 * Runs one check, which passes by exiting with 0 and reporting no failed test. What its output does not say of itself
 * is in its last lines. Null: told to stop.
 */
export async function runCheck(run: CheckRun): Promise<RanCheck | null> {
  const { check, directory, environment, elsewhere, reports, only, signal, onOutput } = run;
  const { command, timeoutMs, name, report, network } = check;
  const readFile = report === undefined ? null : await watchReport(elsewhere?.written ?? directory, report);
  const expected = reports && (await expectReports(reports, only?.get(name)));
  const given = givenEnvironment(environment, elsewhere?.path ?? process.env['PATH']);
  const printed = new Printed();
  const request: CommandRequest = {
    run: run.run,
    command,
    directory,
    ...(expected ? { environment: reportingEnvironment(expected.folders, given) } : {}),
    passes: environment,
    timeoutMs,
    signal,
    maxOutputBytes: MAX_CHECK_OUTPUT_BYTES - NOTE_BYTES,
    keepsOutput: run.keepsOutput,
    onOutput: (text) => {
      printed.add(text);
      onOutput(text);
    },
  };
  const result = await (elsewhere ? elsewhere.run({ ...request, network }) : runCommand(request));
  if (result.kind === 'stopped') return null;
  const { exitCode, durationMs, output } = { exitCode: null, output: '', durationMs: 0, ...result };
  const file = report === undefined || !readFile ? null : { path: report, content: await readFile() };
  // Loaded late: a run without checks needs no reader of reports.
  const { verdictOn } = await import('./check-verdict.ts');
  const { passed, tests, notes } = verdictOn({ exitCode, printed: printed.text(), file });
  const list = expected ? await listed(await expected.read(), printed.text(), file?.content, run) : null;
  // A runner that prints no report has told us the names of what failed.
  const named = tests ?? (passed ? null : await failedIn(list));
  return {
    result: {
      name,
      passed,
      output: withLastLines(output, [...wholeOf(result), ...notes, ...fateOf(result, check)]),
      exitCode,
      durationMs,
      ...(named ? { tests: namedFrom(directory, named) } : {}),
    },
    tests: list,
  };
}

/** The tests of a list for people and models. Null: none of them has failed. */
async function failedIn(list: TestList | null): Promise<TestReport | null> {
  if (!list?.tests.some(({ result }) => result === 'failed')) return null;
  const { tally } = await import('./single-test.ts');
  return tally(
    'list',
    list.tests.map(({ file, name, result, message = '' }) => ({
      path: [file ?? '', ...name.split(' > ')],
      result,
      message,
    })),
  );
}

/** Loaded late, too. */
async function listed(
  reported: TestList | null,
  printed: string | null,
  file: ReportText | undefined,
  { directory, reports }: CheckRun,
): Promise<TestList | null> {
  const { listedTests } = await import('./test-listing.ts');
  const written = file?.kind === 'read' ? file.text : null;
  return listedTests({ reported, printed, written, directory, tops: reports?.tops ?? [] });
}

const wholeOf = (result: CommandResult): string[] =>
  result.kind === 'not_started' || result.whole === undefined ? [] : [result.whole];

/** What the output of a check cannot say for itself. */
function fateOf(result: CommandResult, { command, timeoutMs }: Check): string[] {
  if (result.kind === 'not_started') return [`could not be started: ${result.message}`];
  if (result.kind === 'timed_out') {
    const because = endlessBecause(command, result.output);
    return [`timed out after ${timeoutMs} ms${because === null ? '' : `: ${because}`}`];
  }
  return result.kind === 'exited' && result.exitCode === null ? [`killed by ${result.signal ?? 'a signal'}`] : [];
}

function withLastLines(output: string, lines: readonly string[]): string {
  if (lines.length === 0) return output;
  return (output === '' || output.endsWith('\n') ? output : `${output}\n`) + lines.join('\n');
}

/** Some runners name a test by its whole path, which the next place to check in would not share. */
function namedFrom(directory: string, tests: TestReport): TestReport {
  const place = `${directory}/`;
  const failing = tests.failing.map(({ name, message }) => ({
    name: name.startsWith(place) ? name.slice(place.length) : name,
    message,
  }));
  return { ...tests, failing };
}
