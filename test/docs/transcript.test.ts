import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root, run } from '../repository/tool.ts';
import { examplesIn, pages } from './examples.ts';

/** Without what differs from run to run. */
const steady = (line: string): string =>
  line.replaceAll(/\d+(\.\d+)? ?(ms|s)\b/g, 'N s').replaceAll(/[\d,]+ tokens/g, 'N tokens');

/** The lines of an excerpt that a text does not have in that order. */
function missing(excerpt: readonly string[], text: readonly string[]): string[] {
  let next = 0;
  return excerpt.filter((line) => {
    const found = text.indexOf(line, next);
    if (found >= 0) next = found + 1;
    return found < 0;
  });
}

test('what the README says one sees is what one sees', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'loopfold-transcript-'));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const env = { ...process.env, TMPDIR: temporary, NO_COLOR: '1' };
  const { status, output, stdout } = run(process.execPath, ['src/cli/main.ts', 'demo'], root, env);
  expect(status).toBe(0);

  const shown = examplesIn('README.md', pages().get('README.md') ?? '').find(({ code }) => code.startsWith('iteration 1'));
  const excerpt = (shown?.code ?? '').split('\n').filter((line) => line !== '');
  expect(excerpt.length).toBeGreaterThan(20);
  const [progress, product] = [output.slice(stdout.length), stdout];
  expect(missing(excerpt.map(steady), [...progress.split('\n'), ...product.split('\n')].map(steady))).toEqual([]);
});

test('a line that is missing, or comes too early, is found', () => {
  expect(missing(['a', 'c'], ['a', 'b', 'c'])).toEqual([]);
  expect(missing(['c', 'a', 'd'], ['a', 'b', 'c'])).toEqual(['a', 'd']);
});
