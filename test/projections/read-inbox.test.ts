import { expect, test } from 'vitest';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import type { Log } from '../../src/log/log.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { readInbox } from '../../src/projections/read-inbox.ts';
import { ask, leftWaiting, office } from '../hosts/local/office.ts';

const WAITING = 70;

async function manyWaiting(): Promise<{ log: Log; runs: readonly string[] }> {
  const log = memoryLog();
  const asking = office({ answers: [{ calls: [ask('Tabs?')] }, { text: 'done' }] }, { log });
  const runs: string[] = [];
  for (let n = 0; n < WAITING; n += 1) runs.push(await leftWaiting(asking));
  return { log, runs };
}

test('T9 with a limit only the trees that have stood still the longest are looked at, or the newest', async () => {
  const { log, runs } = await manyWaiting();
  const asked: string[][] = [];
  const loopsOf = async (some: readonly { readonly run: string }[]) => {
    asked.push(some.map(({ run }) => run));
    return shippedLoops;
  };
  const oldest = await readInbox(log, loopsOf, { most: 20 });
  const newest = await readInbox(log, loopsOf, { most: 20, newest: true });
  const all = await readInbox(log, loopsOf);

  expect(oldest.items.slice(0, 20).map(({ run }) => run)).toEqual(runs.slice(0, 20));
  expect(oldest.unlooked).toBe(WAITING - oldest.items.length);
  expect(newest.items.slice(0, 20).map(({ run }) => run)).toEqual(runs.toReversed().slice(0, 20));
  expect(asked.slice(0, 2).map((some) => some.length)).toEqual([32, 32]);
  expect(all.items.map(({ run }) => run)).toEqual(runs);
  expect(all.unlooked).toBe(0);
});
