import { goControl } from './go-control.ts';
import { withCopies } from './pairs.ts';
import type { ControlMark, TestPair, WriteTests } from './write-tests.ts';
import { javascriptControl } from './javascript-control.ts';
import { pythonControl } from './python-control.ts';
import { rustControl } from './rust-control.ts';

/** A file of tests, with tests that must fail. */
export interface Control {
  /** The file with them. */
  readonly added: string;
  /** In its place, where it cannot be loaded: those alone that surely must fail. */
  readonly alone: string;
  /** A part of the name of each that surely must fail, which no other test has. */
  readonly labels: readonly string[];
  /** Copies of its own tests, which stand after them in the file. */
  readonly pairs: readonly TestPair[];
  /** There is nothing but a bare error, which goes by no assertion. */
  readonly isBare: boolean;
}

const LANGUAGES: readonly (readonly [path: RegExp, write: WriteTests])[] = [
  [/\.[cm]?[jt]sx?$/, javascriptControl],
  [/\.py$/, pythonControl],
  [/_test\.go$/, goControl],
  [/(?:^|\/)tests\/[^/]+\.rs$/, rustControl],
];

/**
 * Adds tests that must fail to a file of tests: a bare error, a false assertion in each known way that the file
 * asserts, and copies of its own tests that expect another value. Null: it is in no language of which we know how.
 *
 * @example
 * const mark = { word: 'k1', numbers: [3, 4] } as const;
 * mustFail('test_sum.py', 'def test_adds():\n    assert 1 + 1 == 2\n', mark)?.labels; // ['k1x0x', 'k1x1x']
 */
export function mustFail(path: string, text: string, { word, numbers }: ControlMark): Control | null {
  const label = (index: number) => `${word}x${index}x`;
  const language = LANGUAGES.find(([fits]) => fits.test(path))?.[1];
  const written = language?.(text, label, numbers);
  if (!written) return null;
  const tests = `\n${written.failing.join('\n')}\n`;
  return {
    added: withCopies(text, written.copies) + tests,
    alone: written.preamble + tests,
    labels: written.failing.map((_, index) => label(index)),
    pairs: written.copies.map(({ form, twin, changed }) => ({ form, twin, changed })),
    isBare: written.isBare,
  };
}
