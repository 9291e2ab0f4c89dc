import type { TestReport } from '../../machines/events.ts';
import { excerptOfMessage, excerptOfOutput, head, roomForEach, tail } from '../text/excerpt.ts';
import { withoutRunnerFrames } from '../text/failure-line.ts';
import { sentence } from '../text/sentence.ts';
import type { AgentResult, IterationCompleteEvent } from './strategy.ts';
import { namedInOutput } from './names-in-output.ts';
import { type FailedCheck, failedChecks, type VerificationReport } from './report.ts';
import { sentinelOf } from './sentinel.ts';

const MAX_NAME_CHARS = 200;
const MAX_FAULT_CHARS = 2_000;
/** Every failed check is shown. They share this many characters of output, and each keeps its last lines. */
const MAX_OUTPUT_CHARS = 12_000;
const MIN_CHECK_CHARS = 200;
/** Named tests say most of it, so less output is shown beside them. */
const MAX_CHECK_CHARS_BESIDE_TESTS = 600;
const MAX_TESTS_CHARS = 6_000;
/** Of the line of a failed test that an output names. */
const MAX_LINE_CHARS = 1_000;
const MIN_MESSAGE_CHARS = 20;
/** Of every line of a message but the first. */
const INDENT = '  ';
const BULLET_CHARS = 2;

const ENDS_WITH = 'Its output ends with:';
const NAMES = 'Failed tests that its output names:';

/** The feedback for the next attempt, from an iteration that did not end the loop. */
export function feedbackOn({ agentSuccess, agentResult, verificationReport }: IterationCompleteEvent): string {
  if (!agentSuccess) return agentFeedback(agentResult);
  if (verificationReport === null) return 'No check has verified this work. Review it, and finish what is missing.';
  return checksFeedback(verificationReport);
}

/** The same, and the signal with which the agent may say that nothing is missing, where nothing can verify the work. */
export function askingFor(signal: string | undefined, event: IterationCompleteEvent): string {
  const isUnproven = event.agentSuccess && event.verificationReport === null;
  if (signal === undefined || !isUnproven) return feedbackOn(event);
  return `${feedbackOn(event)} If nothing is missing, say ${signal} on a line of its own.`;
}

/**
 * Each failed check as `level/name: output`: its failed tests, then its output or that it printed nothing, and its exit
 * status; and which levels were not reached. Of a long output the first and the last lines are shown.
 */
export const checksFeedback = (report: VerificationReport): string => failedLines('These checks failed:', report);

/**
 * How the first prompt says what the checks say before any work, with what else there is to say of what the run begins
 * with. Null: they have not run.
 */
export function baselineFeedback(
  baseline: VerificationReport | null,
  beginning: readonly string[] = [],
): string | null {
  if (baseline === null) return null;
  const said = baseline.overall.passed
    ? 'Before you change anything, all checks pass. They have to pass on a change of yours, too.'
    : failedLines('Before you change anything, these checks fail:', baseline);
  return [said, WHAT_COUNTS, ...beginning].join('\n\n');
}

const WHAT_COUNTS =
  'The checks run in a clean checkout of what you leave behind, with the tests and the configuration that are there ' +
  'now: no change of those makes a check pass. Tests that you add are run, too, and have to pass.';

function failedLines(title: string, report: VerificationReport): string {
  const failed = failedChecks(report);
  const shareOf = (chars: number) => Math.floor(chars / Math.max(1, failed.length));
  const lines = failed.map((check) => {
    const shared = { output: Math.max(MIN_CHECK_CHARS, shareOf(MAX_OUTPUT_CHARS)), tests: shareOf(MAX_TESTS_CHARS) };
    return `${check.level}/${head(check.name, MAX_NAME_CHARS)}: ${checkLines(check, shared).join('\n')}`;
  });
  const { notRun = [] } = report;
  const unreached = notRun.length > 0 ? [`Not run until these pass: ${notRun.join(', ')}.`] : [];
  return [title, ...lines, ...unreached].join('\n');
}

/** How many characters one check may have: of its output, and for the names of its tests. */
interface Shared {
  readonly output: number;
  readonly tests: number;
}

function checkLines({ output, exitCode, tests }: FailedCheck, shared: Shared): string[] {
  const printed = withoutRunnerFrames(output).trimEnd();
  if (tests?.failed) {
    const end = tail(printed, Math.min(MAX_CHECK_CHARS_BESIDE_TESTS, shared.output));
    return [...testsFeedback(tests, shared.tests), ...(end.trim() === '' ? [silence(exitCode)] : [ENDS_WITH, end])];
  }
  if (printed.trim() === '') return [silence(exitCode)];
  const shown = excerptOfOutput(printed, shared.output);
  const status = exitCode === null ? [] : [`[exit ${exitCode}]`];
  return [shown, ...status, ...(shown === printed ? [] : namesFeedback(printed, shared.tests))];
}

/** The failed tests that a long output names, because the lines that name them may be left out. */
function namesFeedback(output: string, chars: number): string[] {
  const names = namedInOutput(output);
  if (names.length === 0) return [];
  const lines = names.map((name) => head(name, MAX_LINE_CHARS));
  return [NAMES, ...asFit(lines, names.length, chars)];
}

/** Of a check that printed nothing. */
const silence = (exitCode: number | null): string => (exitCode === null ? 'no output' : `exit ${exitCode}, no output`);

const BETWEEN = ': ';
const indented = (text: string): string => text.replaceAll(/\n(?=.)/g, `\n${INDENT}`);

/** Each by its name, with what it said: where there are many, the head and the tail of that, or nothing. */
function testsFeedback({ passed, failed, failing }: TestReport, chars: number): string[] {
  const whole = failing.map(({ name, message }) => ({ name, message: indented(message) }));
  const room = roomForEach(
    whole.map(({ name, message }) => BULLET_CHARS + name.length + BETWEEN.length + message.length),
    chars,
  );
  const tests = whole.map(({ name, message }) => {
    const left = room - BULLET_CHARS - name.length - BETWEEN.length;
    if (message === '' || left < MIN_MESSAGE_CHARS) return name;
    return `${name}${BETWEEN}${excerptOfMessage(message, left, INDENT)}`;
  });
  return [`${failed} of ${passed + failed} tests failed:`, ...asFit(tests, failed, chars)];
}

/** As many failed tests as fit, at least the first, and how many more there are. */
function asFit(tests: readonly string[], all: number, chars: number): string[] {
  const lines: string[] = [];
  let room = chars;
  for (const line of tests) {
    room -= line.length + BULLET_CHARS;
    if (room < 0 && lines.length > 0) break;
    lines.push(`- ${line}`);
  }
  const more = all - lines.length;
  return more > 0 ? [...lines, `- and ${more} more`] : lines;
}

function agentFeedback(result: AgentResult): string {
  const why = failureOf(result);
  const because = why === null ? '' : `: ${head(why, MAX_FAULT_CHARS)}`;
  return `${sentence(`The attempt did not succeed${because}`)} Look at what it left behind, and go on from there.`;
}

function failureOf({ outcome, exitCode }: AgentResult): string | null {
  if (outcome?.ending === 'abort') return outcome.fault?.message ?? `aborted (${outcome.cause})`;
  const sentinel = outcome ? sentinelOf(outcome) : null;
  if (sentinel) return sentinel.text;
  return exitCode == null || exitCode === 0 ? null : `exit status ${exitCode}`;
}
