import { expect, test } from 'vitest';
import { runsToLoad } from '../../src/cli/args/runs-to-load.ts';
import type { RunRecord } from '../../src/log/event-store.ts';
import type { Log } from '../../src/log/log.ts';

const record = (run: string, more: Partial<RunRecord> = {}): RunRecord =>
  ({ run, root: run, parentEffect: null, closed: null, ...more }) as RunRecord;

const RECORDS = [
  record('aaaa'),
  record('bbbb'),
  record('b-01', { root: 'bbbb', parentEffect: 'bbbb/3/0' }),
  record('cccc', { closed: 'success' }),
];
const log = {
  runs: async () => RECORDS,
  tree: async (root: string) => RECORDS.filter((one) => one.root === root),
  newest: async (most: number) => ({
    runs: RECORDS.filter(({ parentEffect }) => parentEffect === null)
      .toReversed()
      .slice(0, most),
  }),
  run: async (run: string) => RECORDS.find((one) => one.run === run) ?? null,
  holder: async (root: string) => (root === 'bbbb' ? { pid: 1, host: 'here' } : null),
} as unknown as Log;

const loaded = async (own: Omit<Parameters<typeof runsToLoad>[1], 'otherwise'>) =>
  (await runsToLoad(log, { ...own, otherwise: 'ignore' })).map(({ run }) => run);
const named = (run: string) => [{ run, last: false }];

test('a list of runs loads the loops of those that it lists, and of the runs below them', async () => {
  expect(await loaded({ runs: { newest: 1 } })).toEqual(['cccc']);
  expect(await loaded({ runs: { newest: 2 } })).toEqual(['cccc', 'bbbb', 'b-01']);
  expect(await loaded({ runs: 'all' })).toHaveLength(RECORDS.length);
});

test('a command loads the loop of a run that is open and that no process owns', async () => {
  expect(await loaded({ runs: named('aaaa'), unlessOwned: true })).toEqual(['aaaa']);
  expect(await loaded({ runs: named('b-01'), unlessOwned: true })).toEqual([]);
  expect(await loaded({ runs: named('cccc'), unlessOwned: true })).toEqual([]);
  expect(await loaded({ runs: named('b-01') })).toEqual(['bbbb', 'b-01']);
});
