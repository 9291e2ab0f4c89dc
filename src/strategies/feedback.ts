import type { TestReport } from '../../machines/events.ts';
import { head, tail } from '../text/excerpt.ts';
import type { AgentResult } from './agent-result.ts';
import { failedChecks, type VerificationReport } from './report.ts';
import { sentinelOf } from './sentinel.ts';
import type { IterationCompleteEvent } from './strategy.ts';

const MAX_NAME_CHARS = 200;
const MAX_FAULT_CHARS = 2_000;
const MAX_CHECK_CHARS = 2_000;
/** Every failed check is shown. They share this many characters of output, and each keeps its end. */
const MAX_OUTPUT_CHARS = 12_000;
const MIN_CHECK_CHARS = 200;
/** Named tests say most of it, so less output is shown beside them. */
const MAX_CHECK_CHARS_BESIDE_TESTS = 600;
const MAX_TESTS_CHARS = 6_000;
const MAX_TEST_CHARS = 400;

const ENDS_WITH = 'Its output ends with:';

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
 * Each failed check as `level/name: output`: its failed tests, then the end of its output, or that it printed nothing;
 * and which levels were not reached.
 */
export function checksFeedback(report: VerificationReport): string {
  const failed = failedChecks(report);
  const shareOf = (chars: number) => Math.floor(chars / Math.max(1, failed.length));
  const lines = failed.map(({ level, name, output, exitCode, tests }) => {
    const most = tests?.failed ? MAX_CHECK_CHARS_BESIDE_TESTS : MAX_CHECK_CHARS;
    const chars = Math.min(most, Math.max(MIN_CHECK_CHARS, shareOf(MAX_OUTPUT_CHARS)));
    const single = tests?.failed ? testsFeedback(tests, shareOf(MAX_TESTS_CHARS)) : [];
    const printed = tail(output.trimEnd(), chars);
    const heading = single.length > 0 ? [ENDS_WITH] : [];
    const said = printed.trim() === '' ? [silence(exitCode)] : [...heading, printed];
    return `${level}/${head(name, MAX_NAME_CHARS)}: ${[...single, ...said].join('\n')}`;
  });
  const { notRun = [] } = report;
  const unreached = notRun.length > 0 ? [`Not run until these pass: ${notRun.join(', ')}.`] : [];
  return ['These checks failed:', ...lines, ...unreached].join('\n');
}

/** Of a check that printed nothing. */
const silence = (exitCode: number | null): string => (exitCode === null ? 'no output' : `exit ${exitCode}, no output`);

/** As many failed tests as fit, at least the first. */
function testsFeedback({ passed, failed, failing }: TestReport, chars: number): string[] {
  const lines: string[] = [];
  let room = chars;
  for (const { name, message } of failing) {
    const line = head(message === '' ? name : `${name}: ${message}`, MAX_TEST_CHARS).replaceAll('\n', '\n  ');
    room -= line.length;
    if (room < 0 && lines.length > 0) break;
    lines.push(`- ${line}`);
  }
  const more = failed - lines.length;
  if (more > 0) lines.push(`- and ${more} more`);
  const counts = `${failed} of ${passed + failed} tests failed:`;
  return [counts, ...lines];
}

function agentFeedback(result: AgentResult): string {
  const why = failureOf(result);
  const because = why === null ? '' : `: ${head(why, MAX_FAULT_CHARS)}`;
  return `The attempt did not succeed${because}. Look at what it left behind, and go on from there.`;
}

function failureOf({ outcome, exitCode }: AgentResult): string | null {
  if (outcome?.ending === 'abort') return outcome.fault?.message ?? `aborted (${outcome.cause})`;
  const sentinel = outcome ? sentinelOf(outcome) : null;
  if (sentinel) return sentinel.text;
  return exitCode == null || exitCode === 0 ? null : `exit status ${exitCode}`;
}
