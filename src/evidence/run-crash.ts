import { oneLine } from '../text/one-line.ts';

/** The place where a run of tests ended before its end. */
export interface EndedRun {
  /** Of the last test that began. */
  readonly file: string | null;
  readonly name: string;
  /** What did not run after it: other tests of its file or package, or of all files. */
  readonly within: 'file' | 'run';
  /** The line that says why. */
  readonly said: string | null;
}

const MAX_CHARS = 200;
const CRASH =
  /panic: |fatal error: |Fatal Python error: |FATAL ERROR: |(?:PHP )?(?:Fatal|Parse) error: |terminate called |thread '|(?:Segmentation fault|Bus error|Illegal instruction|Aborted)\b/;
/** What runners print of the tests before it, on the same line. */
const PROGRESS = /^[.FEsxX]*/;
const OF_RUBY = ': [BUG] ';
const OF_RUST = "' panicked at ";

/**
 * Finds the line by which a language says that a program ends at once.
 *
 * @example
 * crashLine('=== RUN   TestAdds\npanic: no sum\n'); // 'panic: no sum'
 */
export function crashLine(text: string): string | null {
  for (const line of text.split(/\r\n?|\n/)) {
    const said = crashIn(line);
    if (said !== null) return oneLine(said, MAX_CHARS);
  }
  return null;
}

function crashIn(line: string): string | null {
  const progress = PROGRESS.exec(line)?.[0].length ?? 0;
  if (line.includes(OF_RUBY)) return line.slice(progress);
  const found = CRASH.exec(line);
  if (!found || found.index > progress) return null;
  return found[0] !== "thread '" || line.includes(OF_RUST) ? line.slice(found.index) : null;
}

/** The same places, with what the check printed where its runner said nothing. */
export const withCrash = (ended: readonly EndedRun[], printed: string | null): readonly EndedRun[] => {
  const [one, ...more] = ended;
  if (!one || more.length > 0 || one.said !== null || printed === null) return ended;
  return [{ ...one, said: crashLine(printed) }];
};
