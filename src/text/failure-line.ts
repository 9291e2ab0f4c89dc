const TELLS_OF_FAILURE =
  /✖|✗|✕|❌|\bnot ok\b|\bfail(?:ed|ures?)?\b|error|!==|\bexpected\b|\btimed out\b|\bkilled by\b/i;
/** Counts and headings of test runners, and the fields of an error. */
const TELLS_NOTHING = /^\s*(ℹ|#|(code|actual|expected|operator|diff|failureType): )|failing tests:$/;
const NOTHING_FAILED = /\b(0|no) (errors?|failed|failures)\b/i;
const RUNNERS = 'vitest @vitest jest @jest mocha ava tape tap @tapjs jasmine @playwright tsx ts-node'
  .split(' ')
  .join('|');
/** A frame of Node or of a test runner: it says nothing of the work. */
const RUNNER_FRAME = new RegExp(String.raw`^\s+(?:at |❯ ).*(?:\bnode:[a-z_]+[:/]|\bnode_modules/(?:${RUNNERS})[/@-])`);

export const isStackFrame = (line: string): boolean => /^\s+at /.test(line);

/** Returns whether a line of an output names a failure, as runners and compilers print one. */
export const tellsOfFailure = (line: string): boolean =>
  TELLS_OF_FAILURE.test(line) && !isStackFrame(line) && !TELLS_NOTHING.test(line) && !NOTHING_FAILED.test(line);

/** Returns the text without the stack frames of Node and of test runners. */
export const withoutRunnerFrames = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !RUNNER_FRAME.test(line))
    .join('\n');

/** A line that names a failure, with its place in the text. */
export interface FailureLine {
  readonly at: number;
  readonly line: string;
}

const ANY_FAILURE = new RegExp(TELLS_OF_FAILURE.source, 'gi');

/** Yields the lines of a text that name a failure, in order. Lines that do not are not looked at one by one. */
export function* failureLinesIn(text: string): Generator<FailureLine> {
  let from = 0;
  for (;;) {
    ANY_FAILURE.lastIndex = from;
    const found = ANY_FAILURE.exec(text);
    if (!found) return;
    const at = text.lastIndexOf('\n', found.index) + 1;
    const end = text.indexOf('\n', found.index);
    from = end === -1 ? text.length : end + 1;
    const line = text.slice(at, from).trimEnd();
    if (tellsOfFailure(line)) yield { at, line };
  }
}
