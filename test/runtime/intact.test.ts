import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { readSummary } from '../../src/projections/read-summary.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { assertBegun, IntactTree } from '../../src/runtime/intact.ts';
import { load, rebuild } from '../../src/runtime/load-run.ts';
import { temporaryStore } from '../log/store.ts';
import { appended, fact, take } from '../../src/testing/log-contract/contract.ts';
import { around } from '../support/around.ts';
import { pausedRun } from '../support/paused-run.ts';

/** A paused run in a file that is then changed without the log. */
async function tampered(sql: string) {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { harness, run } = await pausedRun(log);
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
  return { log, harness, run };
}

const damage = { name: 'LogError', kind: 'damaged' };

test.each([
  ['a payload was rewritten', `UPDATE events SET payload = replace(payload, 'Do it.', 'Do that.') WHERE version = 1`],
  ['a payload has another shape', `UPDATE events SET payload = '{"x":1}' WHERE version = 4`],
  ['an event is missing', 'DELETE FROM events WHERE version = 4'],
])('nothing is built on a log that is not what was written: %s', async (_, sql) => {
  const { log, harness, run } = await tampered(sql);
  const [record] = await log.runs();
  await expect(harness.supervisor.resume(run)).rejects.toMatchObject(damage);
  await expect(harness.supervisor.abort(run)).rejects.toMatchObject(damage);
  expect(await log.inbox(run)).toEqual([]);
  await expect(readSummary(log, run, shippedLoops)).rejects.toMatchObject(damage);
  expect(await log.runs()).toEqual([record]);
  await log.close();
});

test('a state is not folded over a gap', async () => {
  const { log, harness, run } = await tampered('DELETE FROM events WHERE version = 4');
  const message = expect.stringContaining('version 5 follows version 3');
  await expect(rebuild(log, run)).rejects.toMatchObject({ ...damage, message });
  await expect(load(log, run, harness.makeHandlers, shippedLoops)).rejects.toMatchObject({ ...damage, message });
  await log.close();
});

describe('the events of a tree that is to be intact', () => {
  /** A run, and one below it if `isParent`. */
  async function recorded(isParent: boolean) {
    const path = temporaryStore();
    const log = openSqliteLog(path);
    const { epoch } = await take(log, 'a');
    const started = (effect: string | null) =>
      fact({ settings: { parent: effect && { effect } } }, { type: 'run.started' });
    await appended(log.append({ run: 'a', events: [started(null), fact(), fact()], expectedVersion: 0, epoch }));
    const below = { run: 'b', events: [started('a/1/0'), fact()], expectedVersion: 0, epoch, parentEffect: 'a/1/0' };
    if (isParent) await appended(log.append(below));
    const verified: string[] = [];
    const counting = around(
      around(log, 'verifyTree', async (of) => (verified.push('tree'), log.verifyTree(of))),
      'readVerified',
      (of) => (verified.push('reading'), log.readVerified(of)),
    );
    return { path, log: counting, epoch, verified };
  }

  async function versions(pages: ReturnType<EventStore['pages']>): Promise<number[]> {
    const read: number[] = [];
    for await (const page of pages) read.push(...page.map(({ version }) => version));
    return read;
  }

  test.each([
    ['a run alone is read and verified at once', false, ['reading']],
    ['a run with another below it is verified with that one first', true, ['tree']],
  ])('%s, and not again until more is recorded', async (_, isParent, how) => {
    const { log, epoch, verified } = await recorded(isParent);
    const intact = new IntactTree(log, 'a');
    expect(await versions(intact.pages())).toEqual([1, 2, 3]);
    await intact.assert();
    expect(await versions(intact.pages())).toEqual([1, 2, 3]);
    expect(verified).toEqual(how);
    await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 3, epoch }));
    expect(await versions(intact.pages())).toEqual([1, 2, 3, 4]);
    expect(verified).toEqual([...how, 'tree']);
    await log.close();
  });

  test('a child that is listed in a tree of its own is told by an error', async () => {
    const { path, log } = await recorded(true);
    const db = new DatabaseSync(path);
    db.exec(`UPDATE runs SET root = run`);
    db.close();
    const message = expect.stringContaining('run b below run a: ');
    await expect(versions(new IntactTree(log, 'a').pages())).rejects.toMatchObject({ ...damage, message });
    await log.close();
  });

  test.each([
    ['an event of a run alone', false, 'WHERE run = 1 AND version = 2', 'run a: '],
    ['the last event of a run alone', false, 'WHERE run = 1 AND version = 3', 'run a: '],
    ['an event of a run below', true, 'WHERE run = 2 AND version = 2', 'run b below run a: '],
  ])('%s that was changed is told by an error, not later than at their end', async (_, isParent, which, whose) => {
    const { path, log } = await recorded(isParent);
    const db = new DatabaseSync(path);
    db.exec(`UPDATE events SET payload = '{"changed":true}' ${which}`);
    db.close();
    const message = expect.stringMatching(new RegExp(`^${whose}`));
    await expect(versions(new IntactTree(log, 'a').pages())).rejects.toMatchObject({ ...damage, message });
    await log.close();
  });
});

test('a run that a log lists without any event is damaged, and one with its first event is not', async () => {
  const log = openSqliteLog(temporaryStore());
  const { epoch } = await take(log, 'a');
  await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch }));
  const [record] = await log.runs();
  if (!record) throw new Error('the run is not listed');
  assertBegun(record);
  const message = expect.stringContaining('run a: it has no events');
  expect(() => assertBegun({ ...record, version: 0 })).toThrow(expect.objectContaining({ kind: 'damaged', message }));
  await log.close();
});
