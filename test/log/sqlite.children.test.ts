import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { edit, failure } from './damaging.ts';
import { appended, decided, fact, take } from './facts.ts';
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
