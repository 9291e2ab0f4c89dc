import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { edit, everythingAt, failure } from './damaging.ts';
import { appended, decided, fact, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

/** A run with a child that has settled. */
async function family(): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  await appended(log.append({ run: 'a', events: [started(null)], expectedVersion: 0, epoch }));
  const child = { run: 'b', events: [started('a/1/0'), fact()], expectedVersion: 0, epoch, parentEffect: 'a/1/0' };
  await appended(log.append(child));
  const settled = fact({ child: 'b' }, { type: 'child.settled' });
  await appended(log.append({ run: 'a', events: [settled], expectedVersion: 1, epoch }));
  expect(await log.verifyTree('a')).toMatchObject({ kind: 'intact' });
  await log.close();
  return path;
}

const started = (effect: string | null) =>
  fact({ settings: { parent: effect && { effect } } }, { type: 'run.started' });

const GONE = ['DELETE FROM events WHERE run = 2', `DELETE FROM runs WHERE run = 'b'`];

test('a deleted child is found on opening by its note', async () => {
  const path = await family();
  edit(path, ...GONE);
  expect(failure(() => openSqliteLog(path)).message).toContain('run b had 2 versions, and is not in the log any more');
});

/** A run beside the family, in its tree and outside of what is below its root. */
const OTHER = `INSERT INTO runs (run, root, prefix_version, created_at) VALUES ('c', 'a', 0, 1)`;

test.for([
  ['is deleted with its note', GONE, 'its child b is not in the log'],
  ['lost its events', GONE.slice(0, 1), 'it has no events'],
  ['was edited', [`UPDATE events SET payload = '{}' WHERE run = 2 AND version = 2`], 'its hash does not follow'],
  ['was moved to another tree', [`UPDATE runs SET root = 'z' WHERE run = 'b'`], 'listed in the tree of z'],
  ['was made a root', [`UPDATE runs SET parent_effect = NULL, root = 'b' WHERE run = 'b'`], 'in the tree of b'],
  [
    'was given to another run of its tree',
    [OTHER, `UPDATE runs SET parent_effect = 'c/1/0' WHERE run = 'b'`],
    'as c/1/0',
  ],
  ['was given to another effect', [`UPDATE runs SET parent_effect = 'a/1/9' WHERE run = 'b'`], 'listed as a/1/9'],
] as const)('a tree with a child that %s does not hold', async ([, edits, reason]) => {
  const path = await family();
  edit(path, ...edits);
  rmSync(`${path}.heads/b`);
  const log = openSqliteLog(path, { mode: 'read' });
  expect(await log.verifyTree('a')).toMatchObject({ kind: 'broken', reason: expect.stringContaining(reason) });
  await log.close();
});

/** A run with an open child, which its parent does not name yet, beside another run. */
async function open(): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const beside = await take(log, 'z');
  await appended(log.append({ run: 'z', events: [started(null)], expectedVersion: 0, epoch: beside.epoch }));
  const { epoch } = await take(log, 'a');
  await appended(log.append({ run: 'a', events: [started(null)], expectedVersion: 0, epoch }));
  await appended(
    log.append({ run: 'b', events: [started('a/1/0')], expectedVersion: 0, epoch, parentEffect: 'a/1/0' }),
  );
  const below = { run: 'c', events: [started('b/1/0')], expectedVersion: 0, epoch, parentEffect: 'b/1/0' };
  await appended(log.append(below));
  const unnamed = { run: 'd', events: [fact()], expectedVersion: 0, epoch, parentEffect: 'a/1/1' };
  await appended(log.append(unnamed));
  for (const run of ['a', 'b', 'c', 'd', 'z']) {
    expect(await log.verifyTree(run)).toMatchObject({ kind: 'intact' });
    expect(await log.run(run)).toMatchObject({ run, root: run === 'z' ? 'z' : 'a' });
  }
  await log.close();
  return path;
}

test.for([
  ['is listed as opened by another tree', `parent_effect = 'z/1/0' WHERE run = 'b'`, 'a', 'b'],
  ['is listed as opened by another tree, seen from there', `parent_effect = 'z/1/0' WHERE run = 'b'`, 'z', 'b'],
  ['is listed as a root', `root = run WHERE run = 'b'`, 'a', 'b'],
  ['has a child that is listed as a root', `root = run WHERE run = 'c'`, 'a', 'c'],
  ['has a child that is listed as a root, seen from itself', `root = run WHERE run = 'c'`, 'b', 'c'],
  ['does not say what opened it, and is listed as a root', `root = run WHERE run = 'd'`, 'a', 'd'],
  ['is listed as opened by no run', `parent_effect = NULL WHERE run = 'b'`, 'a', 'b'],
] as const)('an open child that %s is found', async ([, change, of, run]) => {
  const path = await open();
  edit(path, `UPDATE runs SET ${change}`);
  const log = openSqliteLog(path, { mode: 'read' });
  expect(await log.verifyTree(of)).toMatchObject({ kind: 'broken', run, reason: expect.stringContaining('listed') });
  await log.close();
});

test('a fork that is listed in the tree of another run is found', async () => {
  const path = await open();
  const log = openSqliteLog(path);
  await log.fork({ from: 'b', at: 1, to: 'f' });
  expect(await log.verifyTree('f')).toMatchObject({ kind: 'intact' });
  await log.close();
  edit(path, `UPDATE runs SET root = 'z', parent_effect = 'z/1/0' WHERE run = 'f'`);
  const read = openSqliteLog(path, { mode: 'read' });
  expect(await read.verifyTree('z')).toMatchObject({
    kind: 'broken',
    run: 'f',
    reason: expect.stringContaining('z/1/0'),
  });
  await read.close();
});

test.for([
  ['a run without parents', `root = 'a' WHERE run = 'z'`, 'z', 'run z is listed in the tree of a, not in that of z'],
  ['a child', `root = 'z' WHERE run = 'b'`, 'b', 'run b is listed in the tree of z, not in that of a'],
  ['a child below a child', `root = 'b' WHERE run = 'c'`, 'c', 'run c is listed in the tree of b, not in that of a'],
  ['a moved child', `parent_effect = 'z/1/0' WHERE run = 'b'`, 'b', 'in the tree of a, not in that of z'],
  ['a run below itself', `parent_effect = 'c/1/0' WHERE run = 'a'`, 'b', 'run b is listed below itself'],
  ['a child of a run that is gone', `parent_effect = 'y/1/0' WHERE run = 'b'`, 'c', 'below y, which is not in the log'],
] as const)('no record is given of %s that is listed in the wrong tree', async ([, change, run, reason]) => {
  const path = await open();
  edit(path, `UPDATE runs SET ${change}`);
  const before = everythingAt(path);
  const log = openSqliteLog(path);
  const message = expect.stringMatching(`${reason}.* Restore it from a copy`);
  await expect(log.run(run)).rejects.toMatchObject({ name: 'LogError', kind: 'damaged', message });
  await log.close();
  expect(everythingAt(path)).toEqual(before);
});

/** The last events of a turn. The mark of a position comes before the digest of what its machine remembers. */
const ENDING = [
  decided('success', { mark: 'decide.ending/3#00' }),
  fact({ strategy: null }, { type: 'strategy.ended', mark: 'success/0#00' }),
];

/** A run with a child that has ended, as its parent has recorded, and with a grandchild. */
async function ended(): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  await appended(log.append({ run: 'a', events: [started(null)], expectedVersion: 0, epoch }));
  const opened = { run: 'b', events: [started('a/1/0')], expectedVersion: 0, epoch, parentEffect: 'a/1/0' };
  await appended(log.append(opened));
  await appended(log.append({ run: 'b', events: ENDING, expectedVersion: 1, epoch, closes: 'success' }));
  const settled = fact({ child: 'b', outcome: { ending: 'success' } }, { type: 'child.settled' });
  await appended(log.append({ run: 'a', events: [settled], expectedVersion: 1, epoch }));
  for (const run of ['a', 'b']) expect(await log.verifyTree(run)).toMatchObject({ kind: 'intact' });
  await log.close();
  return path;
}

test.for([
  ['its last event', 'version > 2', 'had ended in success, and is without its end here'],
  ['all of its end', 'version > 1', 'had ended in success, and is without its end here'],
] as const)('a child that lost %s, with its note, is not what its parent recorded', async ([, lost, reason]) => {
  const path = await ended();
  edit(path, `DELETE FROM events WHERE run = 2 AND ${lost}`);
  rmSync(`${path}.heads/b`);
  const log = openSqliteLog(path, { mode: 'read' });
  for (const run of ['a', 'b'])
    expect(await log.verifyTree(run)).toMatchObject({ kind: 'broken', run, reason: expect.stringContaining(reason) });
  await log.close();
});
