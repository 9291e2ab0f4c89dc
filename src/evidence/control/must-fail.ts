import { goControl } from './go-control.ts';
import type { ControlMark, WriteTests } from './written-tests.ts';
import { javascriptControl } from './javascript-control.ts';
import { pythonControl } from './python-control.ts';
import { rustControl } from './rust-control.ts';

/** A file of tests, with tests that must fail. */
export interface Control {
  /** At the end of the file. */
  readonly added: string;
  /** In its place. */
  readonly alone: string;
  /** A part of the name of each, which no other test has. */
  readonly labels: readonly string[];
}

const LANGUAGES: readonly (readonly [path: RegExp, write: WriteTests])[] = [
  [/\.[cm]?[jt]sx?$/, javascriptControl],
  [/\.py$/, pythonControl],
  [/_test\.go$/, goControl],
  [/(?:^|\/)tests\/[^/]+\.rs$/, rustControl],
];

/**
 * Adds tests that must fail to a file of tests: a bare error, and a false assertion in each of the ways that the file
 * asserts. Null: it is in no language of which we know how.
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
  const tests = `\n${written.tests.join('\n')}\n`;
  return {
    added: text + tests,
    alone: written.preamble + tests,
    labels: written.tests.map((_, index) => label(index)),
  };
}
