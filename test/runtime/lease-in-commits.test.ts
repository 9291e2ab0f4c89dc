import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test, vi } from 'vitest';
import { LEASE_RENEW_MS } from '../../src/log/lease-store.ts';
import { memoryLog, openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { take } from '../../src/testing/log-contract/contract.ts';
import { temporaryFolder } from '../git/repository.ts';
import { aroundAppend } from '../support/around-append.ts';
import { createHarness } from '../support/harness.ts';

afterEach(() => void vi.useRealTimers());

interface Committed {
  readonly events: number;
  readonly isHeld: boolean;
  readonly isClosed: boolean;
}

/** What another process finds in the log after each commit of this one. */
async function commitsOf(work: (path: string) => Promise<unknown>): Promise<readonly Committed[]> {
  const found: Committed[] = [];
  const path = join(await temporaryFolder(), 'log.db');
  const { prepare } = DatabaseSync.prototype;
  const spy = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function spied(
    this: DatabaseSync,
    sql: string,
  ) {
    const statement = prepare.call(this, sql);
    if (sql !== 'COMMIT') return statement;
    const run = statement.run.bind(statement);
    statement.run = () => {
      const changes = run();
      found.push(seenIn(path));
      return changes;
    };
    return statement;
  });
  try {
    await work(path);
  } finally {
    spy.mockRestore();
  }
  return found;
}

function seenIn(path: string): Committed {
  const db = new DatabaseSync(path, { readOnly: true });
  const one = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
  const seen = {
    events: one('SELECT count(*) FROM events'),
    isHeld: one('SELECT count(*) FROM leases WHERE holder IS NOT NULL') > 0,
    isClosed: one('SELECT count(*) FROM runs WHERE closed IS NOT NULL AND parent_effect IS NULL') > 0,
  };
  db.close();
  return seen;
}

test.each<[string, Parameters<ReturnType<typeof createHarness>['play']>[0]]>([
  ['a run', {}],
  ['a loop, whose attempts have left,', { loop: 'iteration', checks: ['true'] }],
])('%s takes its lease with its first facts, and gives it back with its last', async (_, asked) => {
  const commits = await commitsOf(async (path) => {
    const log = openSqliteLog(path);
    await createHarness({ log, model: { answers: [{ text: 'done' }] } }).play(asked);
    await log.close();
  });
  expect(commits.length).toBeGreaterThan(1);
  for (const { events, isHeld, isClosed } of commits) expect([events > 0, isHeld]).toEqual([true, !isClosed]);
});

test('a command that came before the last facts keeps the lease until it is answered', async () => {
  const log = memoryLog();
  const command = { type: 'abort.requested', payload: { cause: 'user', reason: null } } as const;
  const late = aroundAppend(log, async (request, append) => {
    if (request.closes !== undefined) await log.post(request.run, command);
    return append(request);
  });
  const { run } = await createHarness({ log: late, model: { answers: [{ text: 'done' }] } }).play();
  await vi.waitFor(async () => expect(await log.holder(run)).toBeNull());
  expect(await log.inbox(run)).toEqual([]);
});

test('a renewal while the log answers that it has the last facts does not take the run for lost', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const log = memoryLog();
  const slow = aroundAppend(log, async (request, append) => {
    const appended = await append(request);
    if (request.closes === undefined) return appended;
    vi.advanceTimersByTime(LEASE_RENEW_MS);
    await new Promise((resolve) => setImmediate(resolve));
    return appended;
  });
  const { outcome, run } = await createHarness({ log: slow, model: { answers: [{ text: 'done' }] } }).play();
  expect(outcome.ending).toBe('success');
  expect(await log.holder(run)).toBeNull();
});

test('a run is not begun under an id that the log knows already, and is not changed by it', async () => {
  const log = memoryLog();
  const { play, supervisor, settingsOf } = createHarness({ log, model: { answers: [{ text: 'done' }] } });
  const { run } = await play();
  const before = await log.run(run);
  await expect(supervisor.startDrawn(settingsOf({}), undefined, run)).rejects.toThrow('the log knows it already');
  expect(await log.run(run)).toEqual(before);
});

test('a run that is named begins under its name, unless a process holds that', async () => {
  const log = memoryLog();
  const { supervisor, settingsOf } = createHarness({ log, model: { answers: [{ text: 'done' }] } });
  const live = await supervisor.start(settingsOf({}), undefined, 'mine');
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(await log.run('mine')).toMatchObject({ closed: 'success' });
  await take(log, 'taken');
  await expect(supervisor.start(settingsOf({}), undefined, 'taken')).rejects.toThrow('taken is held already');
});
