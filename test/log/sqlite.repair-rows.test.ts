import { existsSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { repairStore } from '../../src/log/sqlite/repair.ts';
import { edit, failure, overwrite } from './damaging.ts';
import { appended, elsewhere, fact, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

const URL = 'http://127.0.0.1:9/hook';
const settings = { webhooks: [{ url: URL, secretVariable: null, statuses: ['started'] }] };
const RUNS = ['a', 'b', 'c'];
const HUGE = '9223372036854775807';

/** Three roots of three events each, which owe a report about their first. */
async function store(): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  for (const run of RUNS) {
    const { epoch } = await take(log, run);
    const started = fact({ settings }, { type: 'run.started' });
    const body = JSON.stringify({ run, at: started.at, reason: 'begun' });
    const reports = [{ version: 1, url: URL, secretVariable: null, body }];
    await appended(log.append({ run, events: [started, fact(), fact()], expectedVersion: 0, epoch, reports }));
  }
  await log.close();
  return path;
}

async function openedAgain(path: string) {
  const log = openSqliteLog(path);
  try {
    const runs = await log.runs();
    for (const { run } of runs) expect(await log.verifyTree(run)).toMatchObject({ kind: 'intact' });
    const reports = (await log.undelivered()).map(({ id }) => id);
    return { runs: runs.map(({ run, version }) => [run, version]), reports, faults: await log.audit() };
  } finally {
    await log.close();
  }
}

test('a run of which no version is kept has no row and no note, so that the repaired log opens', async () => {
  const path = await store();
  edit(path, `UPDATE events SET payload = '{}' WHERE run = 2 AND version = 1`);
  const into = temporaryStore();
  expect(repairStore(path, into).runs[1]).toEqual({ run: 'b', saved: 0, known: 3, fault: null });
  expect(readdirSync(`${into}.heads`).toSorted()).toEqual(['a', 'c']);
  const content = {
    runs: [
      ['a', 3],
      ['c', 3],
    ],
    reports: ['a/1', 'c/1'],
    faults: [],
  };
  expect(await openedAgain(into)).toEqual(content);
  const again = temporaryStore();
  expect(repairStore(into, again).runs.map(({ run, saved }) => [run, saved])).toEqual(content.runs);
});

test.for<readonly [sql: string, named: string, fault: string]>([
  [`UPDATE runs SET created_at = ${HUGE} WHERE key = 1`, 'a', 'the column created_at holds'],
  ['UPDATE runs SET created_at = -8640000000000001 WHERE key = 1', 'a', 'the column created_at holds'],
  [`UPDATE runs SET prefix_version = ${HUGE} WHERE key = 1`, 'a', 'the column prefix_version holds'],
  ['UPDATE runs SET key = -1 WHERE key = 1', 'a', 'the column key holds'],
  [`UPDATE runs SET run = '../a' WHERE key = 1`, '../a', 'expected up to 128 letters'],
])('one row that cannot be read is named, and loses no other run: %s', async ([sql, named, fault]) => {
  const path = await store();
  edit(path, sql);
  const into = temporaryStore();
  const { runs, isWritten } = repairStore(path, into);
  expect(isWritten).toBe(true);
  expect(runs).toContainEqual(expect.objectContaining({ run: named, saved: 0, fault: expect.stringContaining(fault) }));
  expect(runs).toContainEqual({ run: 'b', saved: 3, known: 3, fault: null });
  expect((await openedAgain(into)).runs).toEqual([
    ['b', 3],
    ['c', 3],
  ]);
});

test('of a run with a row of an event that cannot be read, the versions before it are saved', async () => {
  const path = await store();
  edit(path, `UPDATE events SET version = ${HUGE} WHERE run = 2 AND version = 2`);
  // Without its note, only the rows tell how many versions there were.
  rmSync(`${path}.heads/b`);
  const { runs } = repairStore(path, temporaryStore());
  expect(runs[1]).toEqual({ run: 'b', saved: 1, known: 3, fault: null });
  expect(runs[2]).toEqual({ run: 'c', saved: 3, known: 3, fault: null });
});

test('a shared version that no continuation has hides no event of a run', async () => {
  const path = await store();
  edit(path, 'UPDATE runs SET prefix_version = 2 WHERE key = 1');
  const into = temporaryStore();
  expect(repairStore(path, into).runs[0]).toEqual({ run: 'a', saved: 3, known: 3, fault: null });
  expect((await openedAgain(into)).runs[0]).toEqual(['a', 3]);
});

test('a repair takes from its events when a run began, and that it continues none', async () => {
  const path = await store();
  const log = openSqliteLog(path);
  await log.fork({ from: 'a', at: 2, to: 'd' });
  await log.close();
  edit(path, 'UPDATE runs SET created_at = 5', `UPDATE runs SET prefix = 1 WHERE run = 'b'`);
  const damaged = openSqliteLog(path);
  const faults = (await damaged.audit()).map(({ place, reason }) => `${place}: ${reason}`);
  const time = 'the column created_at holds another time than its events';
  const continues = 'runs, run b: it continues version 0 of a run that has none in the log';
  expect(faults).toEqual([`runs, run a: ${time}`, continues, `runs, run c: ${time}`, `runs, run d: ${time}`]);
  await damaged.close();
  const into = temporaryStore();
  repairStore(path, into);
  expect(await openedAgain(into)).toMatchObject({ faults: [] });
});

test('reports that were not delivered are saved, and can be claimed at once', async () => {
  const path = await store();
  edit(
    path,
    `UPDATE outbox SET claimed_by = '${JSON.stringify(elsewhere('1'))}', claimed_until = ${Date.now() + 60_000}`,
    `UPDATE outbox SET attempts = 2, last_error = 'refused', given_up_at = 1 WHERE run = 'b'`,
    `UPDATE outbox SET delivered_at = 1 WHERE run = 'c'`,
  );
  const into = temporaryStore();
  expect(repairStore(path, into).reports).toEqual({ saved: 2, lost: [] });
  const log = openSqliteLog(into);
  expect(await log.undelivered()).toMatchObject([
    { id: 'a/1', claimedBy: null, claimedUntil: null, givenUpAt: null, attempts: 0 },
    { id: 'b/1', givenUpAt: '1970-01-01T00:00:00.001Z', attempts: 2, lastError: 'refused' },
  ]);
  const claim = { by: elsewhere('2'), variables: [], forMs: 1_000 };
  expect(await log.claimReport(claim)).toMatchObject({ id: 'a/1' });
  expect(await log.claimReport(claim)).toBe(null);
  await log.close();
});

test.each([1, 2])('a version of the schema that is too low, %d, loses no report', async (version) => {
  const path = await store();
  edit(path, `PRAGMA user_version = ${version}`);
  expect(repairStore(path, temporaryStore()).reports).toEqual({ saved: 3, lost: [] });
});

test.for<readonly [sql: string, report: string, reason: string]>([
  [`UPDATE outbox SET created_at = ${HUGE} WHERE run = 'b'`, 'row 2', 'it cannot be read'],
  [`UPDATE outbox SET url = 'http://evil/' WHERE run = 'b'`, 'b/1', 'its run does not report to http://evil/'],
  [`UPDATE outbox SET version = 9 WHERE run = 'b'`, 'b/9', 'its event is not in the log'],
  ['DROP TABLE outbox', 'table outbox', 'it cannot be read to its end (no such table: outbox)'],
])('a report that is not saved is named: %s', async ([sql, report, reason]) => {
  const path = await store();
  edit(path, sql);
  const { reports } = repairStore(path, temporaryStore());
  expect(reports).toEqual({ saved: report === 'table outbox' ? 0 : 2, lost: [{ report, reason }] });
});

test.for<readonly [what: string, ruin: (path: string) => void]>([
  ['empty', (path) => truncateSync(path)],
  ['cut behind its first page', (path) => truncateSync(path, 4_096)],
  ['without its schema', (path) => overwrite(path, 100, 3_996)],
])('where a log is %s, a repair does not advise a repair, and leaves no file', async ([, ruin]) => {
  const path = await store();
  ruin(path);
  const into = temporaryStore();
  const { message } = failure(() => repairStore(path, into));
  expect(message).toContain('nothing could be read of the log (');
  expect(message).toContain('`.recover` of the sqlite3 shell');
  expect(message).not.toContain('--repair');
  expect(existsSync(into)).toBe(false);
});

test('where no version of any run is kept, no file is left', async () => {
  const path = await store();
  edit(path, 'DELETE FROM events');
  const into = temporaryStore();
  const { runs, isWritten } = repairStore(path, into);
  expect(runs.map(({ run, saved, known }) => [run, saved, known])).toEqual(RUNS.map((run) => [run, 0, 3]));
  expect(isWritten).toBe(false);
  for (const suffix of ['', '-wal', '-shm', '.heads']) expect(existsSync(into + suffix)).toBe(false);
});
