import { head } from '../text/excerpt.ts';
import { plain } from '../text/plain.ts';

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
  /^[.FEsxX]*((?:panic: |fatal error: |Fatal Python error: |FATAL ERROR: |(?:PHP )?(?:Fatal|Parse) error: |terminate called |thread '.*' panicked at |(?:Segmentation fault|Bus error|Illegal instruction|Aborted)\b|.*: \[BUG\] ).*)$/m;

/**
 * Finds the line by which a language says that a program ends at once.
 *
 * @example
 * crashLine('=== RUN   TestAdds\npanic: no sum\n'); // 'panic: no sum'
 */
export function crashLine(text: string): string | null {
  const [, line] = CRASH.exec(text) ?? [];
  return line === undefined ? null : head(plain(line).trim(), MAX_CHARS);
}

/** The same places, with what the check printed where its runner said nothing. */
export const withCrash = (ended: readonly EndedRun[], printed: string | null): readonly EndedRun[] => {
  const [one, ...more] = ended;
  if (!one || more.length > 0 || one.said !== null || printed === null) return ended;
  return [{ ...one, said: crashLine(printed) }];
};
