import { expect, test } from 'vitest';
import type { CatalogueEntry } from '../../machines/index.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { TurnMemory } from '../../src/loops/turn/memory.ts';
import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import type { LoopMemory } from '../../src/kernel/loop-memory.ts';
import { judgeAgain } from '../../src/app/judging/judge-again.ts';
import { localServices } from '../../src/hosts/local/local-services.ts';
import type { Log } from '../../src/log/log.ts';
import { PROGRAM } from '../../src/log/program-version.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { readSummary } from '../../src/projections/read-summary.ts';
import { freezeState } from '../../src/kernel/fold.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { placeOf } from '../../src/kernel/position.ts';
import { Supervisor } from '../../src/runtime/supervisor.ts';
import { laterVersions, SECOND, THIRD } from '../support/later-versions.ts';
import { createHarness } from '../support/harness.ts';
import { RunObserver } from '../support/observers.ts';
import { ended, history, lived } from '../support/run-history.ts';
import { note, tool, untilStopped } from '../support/stand-ins.ts';

const three = laterVersions(SECOND, THIRD);
const model = { answers: [{ calls: [{ tool: 'note' }, { tool: 'slow' }] }, { text: 'done' }] };

/** A run, or a loop of attempts, that was paused in the middle of a call. */
async function paused(loop: 'turn' | 'iteration' = 'turn') {
  const log = memoryLog();
  const harness = createHarness({
    log,
    tools: [note, untilStopped('slow', () => Promise.reject(new Error('cut')))],
    model,
  });
  const { run, observer, pause, done } = await harness.start({
    loop,
    ...(loop === 'iteration' ? { checks: ['true'] } : {}),
  });
  const { run: inner } = await observer.untilDelta(({ text }) => text === 'slow');
  await pause('user');
  await done;
  return { log, run, inner };
}

function later(log: Log, loops: readonly LoopDefinition[]): Supervisor {
  const { makeHandlers } = createHarness({
    log,
    tools: [note, tool('slow', async () => ({ output: 'done' }))],
    model,
  });
  return new Supervisor({ log, makeHandlers, loops });
}

async function migrating(log: Log, run: string, machines = three) {
  const resumed = await later(log, machines).resume(run, undefined, { migrate: true });
  if (resumed.kind !== 'live') throw new Error(`not live: ${JSON.stringify(resumed)}`);
  return ended(resumed.live);
}

const typesOf = async (log: Log, run: string) => (await history(log, run)).map(({ type }) => type);

test('a run that is resumed goes on under the newest version of its machine, and its log says so', async () => {
  const { log, run } = await paused();
  const before = await history(log, run);
  const { outcome } = await migrating(log, run);
  expect(outcome.ending).toBe('success');
  const after = (await history(log, run)).slice(before.length);
  expect(after.slice(0, 3).map(({ type, payload }) => ({ type, payload }))).toEqual([
    { type: 'run.migrated', payload: { from: 'turn@1', to: 'turn@2' } },
    { type: 'run.migrated', payload: { from: 'turn@2', to: 'turn@3' } },
    { type: 'run.resumed', payload: { idleMs: expect.any(Number), program: PROGRAM } },
  ]);
  expect(await log.verify(run)).toMatchObject({ kind: 'intact' });
});

test('the watcher of a run that is resumed is told of its migration', async () => {
  const { log, run } = await paused();
  const watching = new RunObserver();
  const resumed = await later(log, three).resume(run, watching.watch, { migrate: true });
  await ended(lived(resumed));
  expect(watching.of('run.migrated').map(({ payload }) => payload.to)).toEqual(['turn@2', 'turn@3']);
});

test('the judge of the newest version decides from then on, with what the one before it has remembered', async () => {
  const { log, run } = await paused();
  const [first, second] = laterVersions(SECOND);
  if (!first || !second) throw new Error('two versions');
  const heard: (LoopMemory | undefined)[] = [];
  const sink = {
    ending: 'abort',
    cause: 'error',
    fault: { code: 'newer', message: 'judged by the second version' },
  } as const;
  const newer: LoopDefinition = {
    ...second,
    judge: () => ({ action: 'stop', sink, reason: 'judged by the second version', evidence: [] }),
    remember(...[, , earlier]) {
      heard.push(earlier);
      return earlier ?? { observe: () => {} };
    },
  };
  const migration = { ...(first.migration ?? { migrate: (frozen) => frozen }), to: newer };
  const { outcome } = await migrating(log, run, [{ ...first, migration }, newer]);
  expect(outcome).toEqual(sink);
  expect(heard).toEqual([expect.any(TurnMemory)]);
});

test('every version of it is folded by the machine of that time, from zero as from any snapshot', async () => {
  const { log, run } = await paused();
  await migrating(log, run);
  const facts = await history(log, run);
  const first = facts.findIndex(({ type }) => type === 'run.migrated') + 1;
  const states = await Promise.all(facts.map(({ version }) => rebuild(log, run, version, three)));
  const known = states.map((state) => (state.kind === 'loaded' ? state.state : null));
  expect(known.map((state) => state?.entry.id)).toEqual(
    facts.map(({ version }) => (version < first ? 'turn@1' : `turn@${Math.min(3, version - first + 2)}`)),
  );
  const frozen = known.map((state) => state && freezeState(state));
  for (const at of [first - 1, first, first + 1, first + 3]) {
    const state = frozen[at - 1];
    const envelope = facts[at - 1] as unknown as { hash: string };
    if (!state) throw new Error(`nothing at ${at}`);
    await log.saveSnapshot({ run, version: at, hash: envelope.hash, machine: 'any', state });
    const rebuilt = await rebuild(log, run, undefined, three);
    expect(rebuilt.kind === 'loaded' && freezeState(rebuilt.state)).toEqual(frozen.at(-1));
  }
});

test('the runs below it go with it', async () => {
  const { log, run, inner } = await paused('iteration');
  await migrating(log, run);
  expect(await typesOf(log, inner)).toEqual(expect.arrayContaining(['run.migrated']));
  const child = await rebuild(log, inner, undefined, three);
  expect(child.kind === 'loaded' && child.state.entry.id).toBe('turn@3');
  const root = await rebuild(log, run, undefined, three);
  expect(root.kind === 'loaded' && root.state.entry.id).toBe('iteration@3');
});

test('without being asked, it stays with the machine that wrote it', async () => {
  const { log, run } = await paused();
  const resumed = await later(log, three).resume(run);
  if (resumed.kind !== 'live') throw new Error(resumed.kind);
  await ended(resumed.live);
  expect(await typesOf(log, run)).not.toContain('run.migrated');
});

test('where there is nothing newer, there is nothing to say', async () => {
  const { log, run } = await paused();
  const { outcome } = await migrating(log, run, shippedLoops);
  expect(outcome.ending).toBe('success');
  expect(await typesOf(log, run)).not.toContain('run.migrated');
});

test.each<[string, readonly LoopDefinition[], string]>([
  ['no migration', three.map(({ migration: _, ...entry }) => entry), 'there is no migration from turn@1 to turn@3'],
  [
    'the way stops before the newest version',
    three.map(({ migration, ...entry }) => ({
      ...entry,
      ...(migration && !entry.id.endsWith('@2')
        ? { migration: { ...migration, to: withoutMigration(migration.to) } }
        : {}),
    })),
    'there is no migration from turn@2 to turn@3',
  ],
  [
    'it leads to no place',
    three.map((entry) =>
      entry.migration ? { ...entry, migration: { ...entry.migration, migrate: (frozen) => frozen } } : entry,
    ),
    'turn@2 has no state',
  ],
])('it is refused where %s, and nothing is written', async (_what, machines, reason) => {
  const { log, run } = await paused();
  const before = await typesOf(log, run);
  const refused = await later(log, machines).resume(run, undefined, { migrate: true });
  expect(refused).toEqual({ kind: 'not_migrated', run, machine: 'turn@1', reason: expect.stringContaining(reason) });
  expect(await typesOf(log, run)).toEqual(before);
  expect(await log.holder(run)).toBeNull();
});

function withoutMigration<Entry extends CatalogueEntry>({ migration: _, ...entry }: Entry): Omit<Entry, 'migration'> {
  return entry;
}

test('one run of a tree that cannot go on keeps all of them where they are', async () => {
  const { log, run, inner } = await paused('iteration');
  const machines = three.map((entry) => (entry.id.startsWith('turn@') ? withoutMigration(entry) : entry));
  const refused = await later(log, machines).resume(run, undefined, { migrate: true });
  expect(refused).toMatchObject({ kind: 'not_migrated', run: inner, machine: 'turn@1' });
  expect(await typesOf(log, run)).not.toContain('run.migrated');
});

test('a run that a process owns is not migrated', async () => {
  const log = memoryLog();
  const harness = createHarness({ log, tools: [note, untilStopped('slow')], model });
  const { run, observer, abort, done } = await harness.start();
  await observer.untilDelta(({ text }) => text === 'slow');
  expect(await later(log, three).resume(run, undefined, { migrate: true })).toMatchObject({ kind: 'held', run });
  expect(await typesOf(log, run)).not.toContain('run.migrated');
  await abort();
  await done;
});

test('a process without the migration refuses the run, with the reason', async () => {
  const { log, run } = await paused();
  await migrating(log, run);
  const known = ['turn@1', 'iteration@1', 'ralph@1', 'improvement@1', 'contest@1'];
  const because = 'there is no migration from turn@1 to turn@2';
  const refused = { kind: 'unknown_machine', machine: 'turn@2', known, because };
  expect(await rebuild(log, run)).toEqual(refused);
  expect(await later(log, shippedLoops).resume(run)).toEqual(refused);
  expect(await judgeAgain(log, run, {}, { services: localServices(), loops: shippedLoops })).toMatchObject({
    kind: 'unknown_machine',
    machine: 'turn@2',
  });
  const then = (await typesOf(log, run)).indexOf('run.migrated');
  expect(await rebuild(log, run, then)).toMatchObject({ kind: 'loaded', state: { version: then } });
});

test('a run that ended by an error stays with its machine: its continuation is another run', async () => {
  const log = memoryLog();
  const harness = createHarness({ log, model: { answers: [{ error: { code: 'refused', message: 'no' } }] } });
  const { run, done } = await harness.start();
  await done;
  expect(await later(log, three).resume(run, undefined, { migrate: true })).toMatchObject({
    kind: 'not_migrated',
    reason: 'it has ended',
  });
});

test('a summary of the run knows both', async () => {
  const { log, run } = await paused();
  await migrating(log, run);
  expect(await readSummary(log, run, three)).toMatchObject({
    machine: 'turn@3',
    ending: { outcome: { ending: 'success' } },
  });
  const marks = (await history(log, run)).map((fact) => (fact as unknown as { mark: string }).mark);
  const last = await rebuild(log, run, 3, three);
  expect(last.kind === 'loaded' && placeOf(last.state.snapshot)).toBe(marks[2]?.split('/')[0]);
});
