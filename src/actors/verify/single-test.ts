import { MAX_FAILING_TESTS, type TestReport } from '../../../machines/events.ts';
import { excerptOfMessage, head, roomForEach } from '../../text/excerpt.ts';
import { plain } from '../../text/one-line.ts';

const MAX_NAME_CHARS = 300;
/** Of one failed test: an error with its difference and its stack seldom has more. */
const MAX_MESSAGE_CHARS = 8_000;
/** Of all failed tests of a report together: long messages are cut to equal lengths. */
const MAX_MESSAGES_CHARS = 100_000;
/** Groups nested deeper are named by their innermost ones. */
const MAX_PATH_PARTS = 20;

/** One test as a report tells of it. */
export interface SingleTest {
  /** The groups it stands in, outermost first, then its own name. */
  readonly path: readonly string[];
  readonly result: 'passed' | 'failed' | 'skipped';
  /** Why it failed. */
  readonly message: string;
}

/** Tests as the log keeps them: counted, and those that failed by a name that no other test of the report has. */
export function tally(format: TestReport['format'], tests: Iterable<SingleTest>): TestReport {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const seen = new Map<string, number>();
  const failing: { readonly name: string; readonly message: string }[] = [];
  for (const { path, result, message } of tests) {
    counts[result] += 1;
    const name = uniqueName(nameOf(path), seen);
    if (result !== 'failed' || failing.length === MAX_FAILING_TESTS) continue;
    failing.push({ name, message: messageOf(message) });
  }
  return { format, ...counts, failing: withinRoom(failing) };
}

function withinRoom(failing: TestReport['failing']): TestReport['failing'] {
  const room = roomForEach(
    failing.map(({ message }) => message.length),
    MAX_MESSAGES_CHARS,
  );
  return failing.map(({ name, message }) => ({ name, message: excerptOfMessage(message, room) }));
}

/** Tests of one name are numbered in order, those that pass too: so the second is the second in every iteration. */
function uniqueName(name: string, seen: Map<string, number>): string {
  let unique = name;
  for (let nth = seen.get(name) ?? 1; seen.has(unique); unique = `${name} (${nth})`) {
    nth += 1;
    seen.set(name, nth);
  }
  seen.set(unique, 1);
  return unique;
}

function nameOf(path: readonly string[]): string {
  const lineOf = (part: string) => harmless(head(part, MAX_NAME_CHARS)).replace(/\s+/g, ' ').trim();
  const parts = path
    .slice(-MAX_PATH_PARTS)
    .map(lineOf)
    .filter((part) => part !== '');
  return head(parts.join(' > '), MAX_NAME_CHARS) || 'a test without a name';
}

/** Head and tail. Cut before it is cleaned, too: what a test says may be as long as the whole report. */
const messageOf = (message: string): string =>
  excerptOfMessage(harmless(excerptOfMessage(message, 4 * MAX_MESSAGE_CHARS)).trim(), MAX_MESSAGE_CHARS);

/** Without what could steer a terminal, or not be logged. */
const harmless = (text: string): string => plain(text).toWellFormed();
