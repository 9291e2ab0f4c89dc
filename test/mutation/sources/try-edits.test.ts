import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testInTurn } from '../../support/in-turn.ts';
import { editsOf } from './edits.ts';
import { Tries } from './tries.ts';
import { triedEdits } from './try-edits.ts';

const SOURCE = `
export const left = (all: number): number => all - all;
export const fills = (all: number): number => all - all;
export const waits = (all: number): number => Math.min(all, 2) - all;
export const takes = (all: number): number => all - all;
`;
const WAITS = 'cut off: it waits for what never comes';
const TESTS = `
import { expect, test } from 'vitest';
import { fills, takes, waits } from './source.ts';

test('fills', () => {
  const filled: unknown[] = [];
  while (fills(1) > 0) filled.push(Array.from({ length: 1_000 }, () => ({})));
});
test('takes', () => {
  const left = takes(1);
  while (left > 0);
});
test('waits', async () => {
  if (waits(1) > 0) await expect(new Promise(() => {})).resolves.toBe(0);
});
`;

testInTurn(
  'an edit that takes all memory, or all time, or waits for ever, is caught, and the others are tried',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'edits-'));
    const path = join(folder, 'source.ts');
    const tests = join(folder, 'source.test.ts');
    writeFileSync(path, SOURCE);
    writeFileSync(tests, TESTS);
    const edits = editsOf('source.ts', SOURCE).map((edit, number) => ({ ...edit, number }));
    const { verdicts, spoilt } = await triedEdits([tests], [{ path, source: SOURCE, edits }]);
    expect(Object.fromEntries(verdicts.map(({ id, finding }) => [id, finding?.why ?? null]))).toEqual({
      'source.ts left: all - all -> (all) + (all)': null,
      'source.ts fills: all - all -> (all) + (all)': 'it needs more than 512 MB of memory',
      'source.ts waits: Math.min(all, 2) - all -> (Math.min(all, 2)) + (all)': WAITS,
      'source.ts waits: Math.min -> Math.max': WAITS,
      // Tried after those that wait, by the same test.
      'source.ts waits: 2 -> 0': null,
      'source.ts takes: all - all -> (all) + (all)': 'it goes round for ever',
    });
    expect(spoilt).toEqual([]);
  },
);

test('an edit has ended its process for sure where the process was at it', () => {
  const one = { number: 7, test: 'a', name: 'a test' };
  const [at, after] = [new Tries(), new Tries()];
  for (const tries of [at, after]) tries.said({ kind: 'begun', one });
  after.said({ kind: 'ended', why: null });
  for (const tries of [at, after]) tries.died('it is full');
  expect(at.fatal).toEqual({ ...one, why: 'it is full', isSure: true });
  expect(after.fatal).toEqual({ ...one, why: 'it is full', isSure: false });
  expect([at.all, after.all].flat().map(({ why }) => why)).toEqual(['it is full', null]);
  expect(() => new Tries().died('it is full')).toThrow('before it tried an edit: it is full');
});
