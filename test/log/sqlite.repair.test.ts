import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BLOB_THRESHOLD_BYTES } from '../../src/log/event-store.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { repairStore } from '../../src/log/sqlite/repair.ts';
import { closedStore, crash, edit, everythingAt } from './damaging.ts';
import { all, appended, decided, fact, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

/** A run with a child, a large payload and a continuation. */
async function family(): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  const started = (parent: { effect: string } | null) => fact({ settings: { parent } }, { type: 'run.started' });
  await appended(log.append({ run: 'a', events: [started(null), fact(), fact()], expectedVersion: 0, epoch }));
  const child = { run: 'b', events: [started({ effect: 'a/1/0' })], parentEffect: 'a/1/0' };
  await appended(log.append({ ...child, expectedVersion: 0, epoch }));
  const large = [fact({ text: 'x'.repeat(BLOB_THRESHOLD_BYTES) }), decided('abort', { mark: 'abort/0' })];
  await appended(log.append({ run: 'a', events: large, expectedVersion: 3, epoch, closes: 'abort' }));
  await log.fork({ from: 'a', at: 4, to: 'c' });
  const lease = await take(log, 'c');
  await appended(log.append({ run: 'c', events: [fact()], expectedVersion: 4, epoch: lease.epoch }));
  await log.close();
  return path;
}

async function contentOf(path: string) {
  const log = openSqliteLog(path, { mode: 'read' });
  const runs = await log.runs();
  const content = await Promise.all(
    runs.map(async (record) => {
      expect(await log.verifyTree(record.run)).toMatchObject({ kind: 'intact' });
      return [record, (await all(log.read(record.run))).map(({ position: _, ...event }) => event)];
    }),
  );
  await log.close();
  return content;
}

test('a sound store is saved whole, and the copy continues', async () => {
  const path = await family();
  const into = temporaryStore();
  const whole = ({ run, saved, known }: { run: string; saved: number; known: number }) => [run, saved, known];
  expect(repairStore(path, into).runs.map(whole)).toEqual([
    ['a', 5, 5],
    ['b', 1, 1],
    ['c', 5, 5],
  ]);
  expect(await contentOf(into)).toEqual(await contentOf(path));
  const log = openSqliteLog(into);
  const { epoch } = await take(log, 'c');
  await appended(log.append({ run: 'c', events: [fact()], expectedVersion: 5, epoch }));
  await log.close();
});

test('of a store that lost its end, what is left is saved, what is gone is named, and nothing is changed', async () => {
  const path = await crash(await closedStore());
  truncateSync(`${path}-wal`, 30_000);
  const before = everythingAt(path);
  const into = temporaryStore();
  const [only] = repairStore(path, into).runs;
  expect(only).toMatchObject({ run: 'a', known: 60 });
  expect(only?.saved).toBeGreaterThanOrEqual(40);
  expect(only?.saved).toBeLessThan(60);
  expect(everythingAt(path)).toEqual(before);
  const log = openSqliteLog(into, { mode: 'read' });
  expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: only?.saved });
  await log.close();
});

test('a run is saved up to its first event that does not follow; no continuation of what is gone is', async () => {
  const path = await family();
  edit(path, `UPDATE events SET payload = '{}' WHERE run = 1 AND version = 3`);
  const into = temporaryStore();
  expect(repairStore(path, into).runs).toEqual([
    { run: 'a', saved: 2, known: 5, fault: null },
    { run: 'b', saved: 1, known: 1, fault: null },
    { run: 'c', saved: 0, known: 5, fault: null },
  ]);
  expect(await contentOf(into)).toHaveLength(2);
});

test.for([
  ['a parent below its child', `UPDATE runs SET parent_effect = 'b/1/0' WHERE run = 'a'`, ['a']],
  ['a child below itself', `UPDATE runs SET parent_effect = 'b/1/0' WHERE run = 'b'`, ['b']],
  ['a child in the tree of a run that is gone', `UPDATE runs SET root = 'z' WHERE run = 'b'`, ['b']],
] as const)('rows that have %s are saved, and said not to hold', async ([, sql, unsound]) => {
  const path = await family();
  edit(path, sql);
  const saved = repairStore(path, temporaryStore()).runs;
  expect(saved.map(({ run, saved: versions, known }) => [run, versions, known])).toEqual([
    ['a', 5, 5],
    ['b', 1, 1],
    ['c', 5, 5],
  ]);
  const faults = saved.flatMap(({ run, fault }) => (fault === null ? [] : [run]));
  expect(faults).toEqual(unsound);
});

test('forks that lead round in circles are not saved, and are not called whole', async () => {
  const path = await family();
  edit(path, `DELETE FROM events WHERE run = 3`, `UPDATE runs SET prefix = 3 WHERE run = 'c'`);
  rmSync(`${path}.heads/c`, { force: true });
  expect(repairStore(path, temporaryStore()).runs.at(-1)).toEqual({ run: 'c', saved: 0, known: 4, fault: null });
});

test('a run that only its note knows is named', async () => {
  const path = await family();
  edit(path, `DELETE FROM runs WHERE run = 'c'`, 'DELETE FROM events WHERE run = 3');
  expect(repairStore(path, temporaryStore()).runs.at(-1)).toEqual({ run: 'c', saved: 0, known: 5, fault: null });
});

test('a file that exists is never written, and a store that cannot be read leaves none', async () => {
  const path = await family();
  const into = temporaryStore();
  writeFileSync(into, 'mine');
  expect(() => repairStore(path, into)).toThrow('there is a file already');
  expect(readFileSync(into, 'utf8')).toBe('mine');
  rmSync(into);
  writeFileSync(path, 'x'.repeat(8_192));
  expect(() => repairStore(path, into)).toThrow('not a database');
  expect(existsSync(into)).toBe(false);
});
