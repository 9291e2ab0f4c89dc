import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { thisProcess } from '../../src/log/holder.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { repairStore } from '../../src/log/sqlite/repair.ts';
import { edit } from './damaging.ts';
import { all, appended, AT, decided, elsewhere, fact, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

const URL = 'http://127.0.0.1:9/hook';
const settings = { webhooks: [{ url: URL, secretVariable: null, statuses: ['started'] }] };

/** A tree with a child, a delivered and a waiting command, a report, a stored state and a blob. */
async function store(): Promise<string> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const lease = await take(log, 'a');
  const { epoch } = lease;
  const started = fact({ settings }, { type: 'run.started' });
  const body = JSON.stringify({ run: 'a', at: started.at, reason: 'begun' });
  const reports = [{ version: 1, url: URL, secretVariable: null, body }];
  await appended(log.append({ run: 'a', events: [started], expectedVersion: 0, epoch, reports }));
  const { id } = await log.post('a', { type: 'run.steered', payload: 'left' });
  const steered = fact('left', { type: 'run.steered' });
  await appended(log.append({ run: 'a', events: [steered], expectedVersion: 1, epoch, delivers: [id] }));
  const child = fact({ settings: { parent: { effect: 'a/2/0' } } }, { type: 'run.started' });
  await appended(log.append({ run: 'b', events: [child], expectedVersion: 0, epoch, parentEffect: 'a/2/0' }));
  const large = fact('x'.repeat(70_000));
  await appended(log.append({ run: 'b', events: [large], expectedVersion: 1, epoch }));
  const [, second] = await all(log.read('a'));
  await log.saveSnapshot({ run: 'a', version: 2, hash: second?.hash ?? '', machine: 'turn@1', state: {} });
  await log.release(lease);
  await log.post('a', { type: 'abort.requested', payload: null });
  await log.close();
  return path;
}

const NOW = Date.now();

async function audited(path: string) {
  const log = openSqliteLog(path, { mode: 'read', now: () => NOW });
  try {
    return { faults: await log.audit(), warnings: log.warnings };
  } finally {
    await log.close();
  }
}

test('of a store as its programs have left it, nothing is said', async () => {
  const path = await store();
  expect(await audited(path)).toEqual({ faults: [], warnings: [] });
  // Also where a process was killed before the first event of its run.
  const log = openSqliteLog(path);
  await log.acquire('never-began', thisProcess());
  await log.close();
  expect(await audited(path)).toEqual({ faults: [], warnings: [] });
});

test.for<readonly [sql: string, place: string, reason: string]>([
  [`UPDATE leases SET holder = '{'`, 'leases, tree a', 'the column holder names no process'],
  ['UPDATE leases SET epoch = 0', 'leases, tree a', 'its epoch is 0, and events of epoch 1 were recorded'],
  [`UPDATE leases SET root = 'b'`, 'leases, tree b', 'it is not the top of a tree: that is a'],
  [`UPDATE leases SET expires_at = -9000000000000000000`, 'leases, tree a', 'the column expires_at holds'],
  [`UPDATE inbox SET payload = '{' WHERE id = 2`, 'inbox, command 2', 'the column payload holds no JSON'],
  [
    `UPDATE inbox SET delivered = 9 WHERE id = 1`,
    'inbox, command 1',
    'it was delivered as version 9, run.steered, and',
  ],
  [`UPDATE inbox SET delivered = 1 WHERE id = 2`, 'inbox, command 2', 'no run of its tree has that event'],
  [`UPDATE inbox SET rejected = 'no' WHERE id = 1`, 'inbox, command 1', 'it was both delivered and rejected'],
  [`UPDATE inbox SET run = 'c', root = 'c'`, 'inbox, command 1', 'it is for run c, which is not in the log'],
  [
    `UPDATE inbox SET root = 'b' WHERE id = 2`,
    'inbox, command 2',
    'it is for run a of the tree a, and is listed for b',
  ],
  [`UPDATE outbox SET run = 'c'`, 'outbox, report c/1', 'its run is not in the log'],
  ['UPDATE outbox SET version = 7', 'outbox, report a/7', 'its event is not in the log'],
  [`UPDATE outbox SET url = 'http://evil/'`, 'outbox, report a/1', 'its run does not report to http://evil/'],
  [`UPDATE outbox SET secret_variable = 'HOME'`, 'outbox, report a/1', 'signs reports to'],
  [`UPDATE outbox SET body = replace(body, '"a"', '"b"')`, 'outbox, report a/1', 'its body is not about its run'],
  [`UPDATE outbox SET body = '{"run":"a"}'`, 'outbox, report a/1', 'its body has another time than its event'],
  [`UPDATE outbox SET claimed_by = '{}'`, 'outbox, report a/1', 'the column claimed_by names no process'],
  [`UPDATE snapshots SET run = 'c'`, 'snapshots, run c at version 2', 'its event is not in the log'],
  ['UPDATE snapshots SET hash = zeroblob(32)', 'snapshots, run a at version 2', 'an event with another hash'],
  [`UPDATE snapshots SET state = '{'`, 'snapshots, run a at version 2', 'the column state holds no JSON'],
  [`UPDATE blobs SET content = content || 'x'`, 'blobs, ', 'its content is another than its name says'],
  [
    `INSERT INTO events SELECT 99, 99, 1, type, schema, at, causation, epoch, payload, salt, digest, hash, mark
    FROM events WHERE position = 1`,
    'runs, row 99',
    'it is missing, and 1 event in the log belongs to it',
  ],
  [`UPDATE runs SET closed = 'success'`, 'runs, run a', 'its row says success, and its events say that it is open'],
  ['UPDATE runs SET created_at = 5', 'runs, run a', 'the column created_at holds another time than its events'],
  [`UPDATE runs SET prefix_version = 1`, 'runs, run a', 'it shares 1 versions, and continues no run'],
  [
    `INSERT INTO runs SELECT 9, 'd', 'd', NULL, 1, 7, created_at, NULL FROM runs WHERE run = 'a'`,
    'runs, run d',
    'it continues version 7 of a run that has none in the log',
  ],
  ['UPDATE inbox SET at = 5', 'inbox, command 1', 'it was sent before its run began'],
  [
    `UPDATE inbox SET delivered = NULL, at = ${Date.parse(AT)} WHERE id = 1`,
    'inbox, command 1',
    'it waits, and a/2 is such a command, which none was delivered as: it would be carried out again',
  ],
  ['UPDATE outbox SET is_head = NULL', 'outbox, report a/1', 'the column is_head does not say which report'],
  ['UPDATE outbox SET is_head = 2', 'outbox, report a/1', 'the column is_head holds a number that does not fit'],
  ['UPDATE outbox SET created_at = 5', 'outbox, report a/1', 'it was created before its event'],
  ['UPDATE outbox SET next_try_at = 5', 'outbox, report a/1', 'its next try is before it was created'],
  ['UPDATE outbox SET next_try_at = 9000000000000', 'outbox, report a/1', 'its next try is too late'],
  [`UPDATE outbox SET last_error = 'no'`, 'outbox, report a/1', 'it was never tried, and has a result'],
  ['UPDATE outbox SET attempts = 1', 'outbox, report a/1', 'it was tried at no time'],
  ['UPDATE outbox SET attempts = 1, tried_at = 5', 'outbox, report a/1', 'its tried_at is before it was created'],
  [`UPDATE outbox SET claimed_by = 'x'`, 'outbox, report a/1', 'it is claimed by no process, or until no time'],
  [
    `UPDATE outbox SET attempts = 1, tried_at = created_at, claimed_by = 'x', claimed_until = 1, given_up_at = created_at`,
    'outbox, report a/1',
    'it is claimed, and not owed any more',
  ],
  [
    'UPDATE outbox SET delivered_at = created_at, given_up_at = created_at',
    'outbox, report a/1',
    'it was both delivered and given up',
  ],
  [
    `UPDATE outbox SET delivered_at = created_at, last_error = 'no'`,
    'outbox, report a/1',
    'it was delivered, and has an error',
  ],
  ['DROP TRIGGER outbox_leaves', 'the database', 'the trigger outbox_leaves is missing'],
  ['DELETE FROM leases', 'leases, tree a', 'it is missing, and events of epoch 1 were recorded'],
  [
    `CREATE TRIGGER evil AFTER INSERT ON events BEGIN UPDATE events SET payload = '{}'; END`,
    'the database',
    'the trigger evil does not belong to a log',
  ],
  ['DROP INDEX events_of_run', 'the database', 'the index events_of_run is missing'],
  [
    'DROP INDEX events_of_run; CREATE INDEX events_of_run ON events (run, version)',
    'the database',
    'the index events_of_run is another one than in a log',
  ],
  ['ALTER TABLE inbox DROP COLUMN at', 'the database', 'the column at of the table inbox is missing'],
])('what is not as it was written is named, with what to do: %s', async ([sql, place, reason]) => {
  const path = await store();
  edit(path, sql);
  const { faults } = await audited(path);
  expect(faults.length).toBeGreaterThan(0);
  const said = faults.map((fault) => `${fault.place}: ${fault.reason}`).join('\n');
  expect(said).toContain(place);
  expect(said).toContain(reason);
  for (const { remedy } of faults) expect(remedy).toMatch(/^Restore the log from a copy, or save .*--repair FILE/);
});

/** A lease that was not given back, of a tree that is open, or of one that has ended. */
const HELD = `UPDATE leases SET holder = '${JSON.stringify(elsewhere('1'))}', expires_at = `;
const ENDED = `INSERT INTO leases SELECT 'none', epoch, holder, expires_at FROM leases;
  UPDATE leases SET holder = NULL WHERE root = 'a'`;

test.each<[what: string, sql: readonly string[], said: readonly string[], place: string, remedy: string]>([
  ['an hour', [`${HELD} ${NOW + 3_600_000}`], [], 'a', '`loopfold resume a --take-over` takes it over'],
  ['centuries', [`${HELD} 9000000000000`], ['2255-03-14T16:00:00.000Z'], 'a', '`loopfold resume a --take-over`'],
  ['of no run', [`${HELD} 9000000000000`, ENDED], ['2255-03-14'], 'none', 'No run waits for it; `loopfold check --rep'],
])('a lease that ends too late is named, and warned of where a run waits: %s', async (_, sql, said, root, remedy) => {
  const path = await store();
  edit(path, ...sql);
  const { faults, warnings } = await audited(path);
  const reason =
    /^it ends at \S+Z, and a lease that is taken now ends at \S+Z: the clock of far\.away is or was ahead, /;
  expect(faults).toEqual([
    { place: `leases, tree ${root}`, reason: expect.stringMatching(reason), remedy: expect.stringContaining(remedy) },
  ]);
  for (const text of said) expect(faults[0]?.reason).toContain(text);
  const [fault] = faults;
  expect(warnings).toEqual(root === 'a' ? [`${fault?.place}: ${fault?.reason}. ${fault?.remedy}`] : []);
});

test('a lease that ends within a minute of one that is taken now is not named: clocks differ', async () => {
  const path = await store();
  edit(path, `${HELD} ${NOW + 70_000}`);
  expect(await audited(path)).toEqual({ faults: [], warnings: [] });
  // Nor is one that was given back, whenever it would have ended.
  edit(path, 'UPDATE leases SET holder = NULL, expires_at = 9000000000000');
  expect(await audited(path)).toEqual({ faults: [], warnings: [] });
});

test('a claim of a report that ends too late is named', async () => {
  const path = await store();
  const claimed = `claimed_by = '${JSON.stringify(elsewhere('1'))}', claimed_until = ${NOW + 70_000}`;
  edit(path, `UPDATE outbox SET attempts = 1, tried_at = ${NOW}, ${claimed}`);
  expect((await audited(path)).faults).toEqual([]);
  edit(path, 'UPDATE outbox SET claimed_until = 9000000000000');
  expect((await audited(path)).faults).toMatchObject([
    {
      place: 'outbox, report a/1',
      reason: expect.stringContaining('has claimed it until 2255-03-14T16:00:00.000Z'),
      remedy: expect.stringContaining('`loopfold deliver`'),
    },
  ]);
});

test('of many leases that end too late, the first are warned of one by one', async () => {
  const path = await store();
  const more = ['c', 'd', 'e', 'f'].flatMap((run, index) => [
    `INSERT INTO runs SELECT ${index + 50}, '${run}', '${run}', NULL, 1, 1, created_at, NULL FROM runs WHERE run = 'a'`,
    `INSERT INTO leases SELECT '${run}', epoch, holder, expires_at FROM leases WHERE root = 'a'`,
  ]);
  edit(path, `${HELD} 9000000000000`, ...more);
  const { warnings } = await audited(path);
  expect(warnings).toHaveLength(4);
  expect(warnings.at(-1)).toBe('leases: 2 more end too late. `loopfold check` names them.');
});

test.for<readonly [what: string, ruin: (file: string) => void, because: string]>([
  ['is empty', (file) => truncateSync(file), 'it is empty'],
  ['is cut', (file) => truncateSync(file, 20), 'it does not hold RUN VERSION HASH of this run'],
  ['holds something else', (file) => writeFileSync(file, 'hello\n'.repeat(100)), 'it does not hold RUN VERSION HASH'],
  ['is a folder', (file) => (rmSync(file), mkdirSync(file)), 'EISDIR'],
])('a note of a head that $0 is said on opening, and mended by the next commit: %s', async ([, ruin, because]) => {
  const path = await store();
  const file = join(`${path}.heads`, 'a');
  ruin(file);
  const { faults, warnings } = await audited(path);
  expect(warnings).toEqual([
    expect.stringContaining(`${file}: the note of the head of run a cannot be read (${because}`),
  ]);
  expect(faults).toMatchObject([{ place: file, remedy: expect.stringContaining('`loopfold check a`') }]);
  if (because === 'EISDIR') return;
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 2, epoch }));
  await log.close();
  expect(await audited(path)).toEqual({ faults: [], warnings: [] });
});

test('a file in place of the folder of notes is said, and of many notes the first', async () => {
  const path = await store();
  for (const name of ['c', 'd', 'e', 'f']) writeFileSync(join(`${path}.heads`, name), '?');
  const { warnings, faults } = await audited(path);
  expect([warnings.length, faults.length]).toEqual([4, 4]);
  const reason = expect.stringMatching(/^the log has no run of that name, and the file holds no note of one \(it does/);
  expect(faults[0]).toMatchObject({ place: join(`${path}.heads`, 'c'), reason });
  expect(faults[0]?.remedy).toMatch(/^Move it away or remove it/);
  expect(warnings.at(-1)).toContain('1 more notes cannot be read');
  rmSync(`${path}.heads`, { recursive: true });
  writeFileSync(`${path}.heads`, '');
  expect((await audited(path)).warnings).toEqual([
    expect.stringContaining(`${path}.heads: the notes of heads cannot be`),
  ]);
});

test('a repaired store has the epochs of its trees, so that they go on rising', async () => {
  const path = await store();
  const saved = temporaryStore();
  repairStore(path, saved);
  expect((await audited(saved)).faults).toEqual([]);
  const log = openSqliteLog(saved);
  expect((await take(log, 'a')).epoch).toBe(2);
  await log.close();
});

test.each(['NULL', `'success'`])(
  'the row of a run that has ended is named, and set right by a repair: %s',
  async (to) => {
    const path = temporaryStore();
    const log = openSqliteLog(path);
    const { epoch } = await take(log, 'a');
    const told = fact({ strategy: null, fault: null }, { type: 'strategy.ended' });
    const events = [fact({ settings: {} }, { type: 'run.started' }), decided('abort'), told];
    await appended(log.append({ run: 'a', events, expectedVersion: 0, epoch, closes: 'abort' }));
    await log.close();
    expect((await audited(path)).faults).toEqual([]);
    edit(path, `UPDATE runs SET closed = ${to}`);
    const said = to === 'NULL' ? 'that it is open' : 'success';
    expect((await audited(path)).faults).toMatchObject([
      { place: 'runs, run a', reason: `its row says ${said}, and its events say abort: they count` },
    ]);
    const saved = temporaryStore();
    repairStore(path, saved);
    expect((await audited(saved)).faults).toEqual([]);
  },
);
