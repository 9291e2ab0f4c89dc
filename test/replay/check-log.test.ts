import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { catalogue } from '../../machines/index.ts';
import type { Log } from '../../src/log/log.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { freezeState } from '../../src/kernel/fold.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { checkLog } from '../../src/replay/check-log.ts';
import { all } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from '../log/store.ts';
import { createHarness } from '../support/harness.ts';
import { ended } from '../support/run-history.ts';
import { withGuards } from './recorded.ts';

const ATTEMPTS = { attempts: [{ answers: [{ text: 'one' }] }, { answers: [{ text: 'two' }] }] };

/** A loop of two attempts, and its continuation with one more. */
async function recordedIn(path: string): Promise<string> {
  const log = openSqliteLog(path);
  const harness = createHarness({ model: ATTEMPTS, log });
  const { run } = await harness.play({ loop: 'iteration', maxIterations: 1, strategy: { name: 'fixed', config: {} } });
  await ended(await harness.extend(run, { limits: { maxIterations: 2 } }));
  await log.close();
  return run;
}

const edit = (path: string, sql: string) => {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
};

async function reading<Result>(path: string, ask: (log: Log) => Promise<Result>): Promise<Result> {
  const log = openSqliteLog(path, { mode: 'read' });
  return ask(log).finally(() => log.close());
}

test('every run of a log, children and continuations too, compared at every version', async () => {
  const path = temporaryStore();
  await recordedIn(path);
  const checked = await reading(path, (log) => all(checkLog(log)));
  expect(checked.length).toBeGreaterThanOrEqual(4);
  for (const one of checked)
    expect(one).toMatchObject({ kind: 'same', compared: one.kind === 'same' ? one.events : 0 });
  const [only] = await reading(path, async (log) => all(checkLog(log, (await log.runs()).slice(0, 1))));
  expect(only).toEqual(checked[0]);
});

test('a difference in a prefix names the run that wrote it', async () => {
  const path = temporaryStore();
  const run = await recordedIn(path);
  edit(
    path,
    `UPDATE events SET mark = 'elsewhere/1' WHERE run = (SELECT key FROM runs WHERE run = '${run}') AND version = 3`,
  );
  const differing = (await reading(path, (log) => all(checkLog(log)))).filter(({ kind }) => kind === 'differs');
  expect(differing).toHaveLength(2);
  for (const one of differing)
    expect(one).toMatchObject({ difference: { version: 3, writtenBy: run, recorded: 'elsewhere/1' } });
});

test('a chain that does not hold is damage, at its version; the other runs are checked all the same', async () => {
  const path = temporaryStore();
  const run = await recordedIn(path);
  edit(path, `UPDATE events SET payload = replace(payload, 'two', 'ten') WHERE version = 4`);
  const checked = await reading(path, (log) => all(checkLog(log)));
  const damaged = checked.filter(({ kind }) => kind === 'damaged');
  expect(damaged).toContainEqual({
    kind: 'damaged',
    run: expect.any(String),
    version: 4,
    reason: 'its hash does not follow from its content',
  });
  expect(checked.find((one) => one.run === run)).toMatchObject({ kind: 'same' });
});

test('a run that loses its end while the log is open is damage, and the log says how to go on', async () => {
  const path = temporaryStore();
  const run = await recordedIn(path);
  const checked = await reading(path, (log) => {
    edit(path, `DELETE FROM events WHERE run = (SELECT key FROM runs WHERE run = '${run}') AND version > 5`);
    return all(checkLog(log));
  });
  const reason = expect.stringMatching(/^run .* had another history up to version \d+.*\.heads/);
  expect(checked.find((one) => one.run === run)).toMatchObject({ kind: 'damaged', version: 6, reason });
});

test('a run that ended after it was listed is compared with the ending that it has now', async () => {
  const path = temporaryStore();
  await recordedIn(path);
  const checked = await reading(path, async (log) => {
    const listed = (await log.runs()).map((record) => ({ ...record, closed: null }));
    return all(checkLog(log, listed));
  });
  for (const one of checked) expect(one).toMatchObject({ kind: 'same' });
});

test('a run that is said to continue itself is damage, and no endless search', async () => {
  const path = temporaryStore();
  const run = await recordedIn(path);
  edit(path, `UPDATE runs SET prefix = key, prefix_version = 3 WHERE run = '${run}'`);
  const checked = await reading(path, (log) => all(checkLog(log)));
  expect(checked.find((one) => one.run === run)).toMatchObject({ kind: 'damaged', version: 1 });
});

test('a stored state that cannot be read is as good as none', async () => {
  const path = temporaryStore();
  const run = await recordedIn(path);
  edit(
    path,
    `INSERT INTO snapshots SELECT '${run}', version, hash, 'iteration@1', '{nope' FROM events WHERE version = 3
    AND run = (SELECT key FROM runs WHERE run = '${run}')`,
  );
  const checked = await reading(path, (log) => all(checkLog(log)));
  for (const one of checked) expect(one).toMatchObject({ kind: 'same' });
  expect(await reading(path, (log) => rebuild(log, run))).toMatchObject({ kind: 'loaded' });
});

test('stored states are compared where they stand', async () => {
  const path = temporaryStore();
  const run = await recordedIn(path);
  const log = openSqliteLog(path);
  for (const version of [3, 5, 7]) {
    const rebuilt = await rebuild(log, run, version);
    const [envelope] = await all(log.read(run, { from: version, to: version }));
    if (rebuilt.kind !== 'loaded' || !envelope) throw new Error(`no version ${version}`);
    const state = freezeState(version === 5 ? { ...rebuilt.state, paused: true } : rebuilt.state);
    await log.saveSnapshot({ run, version, hash: envelope.hash, machine: rebuilt.state.entry.id, state });
  }
  const [checked] = await all(checkLog(log));
  await log.close();
  expect(checked).toMatchObject({
    run,
    kind: 'differs',
    difference: { sign: 'memory', version: 5, details: ['paused'] },
  });
});

test('a log of a machine that is not known, and one whose turns were edited', async () => {
  const path = temporaryStore();
  await recordedIn(path);
  const kinds = async (machines: typeof catalogue) =>
    (await reading(path, (log) => all(checkLog(log, undefined, machines)))).map(({ kind }) => kind);
  expect(new Set(await kinds(catalogue.filter(({ id }) => id !== 'turn@1')))).toEqual(new Set(['same', 'refused']));
  expect(new Set(await kinds(withGuards({ hasChecks: () => true })))).toEqual(new Set(['same', 'differs']));
});
