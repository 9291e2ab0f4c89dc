import { expect, test } from 'vitest';
import type { Json } from '../../src/log/envelope.ts';
import type { Log } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { PROGRAM } from '../../src/log/program-version.ts';
import { markWithState } from '../../src/log/state-mark.ts';
import { freezeState } from '../../src/kernel/fold.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { appended, fact, take } from '../../src/testing/log-contract/contract.ts';
import { createHarness } from '../support/harness.ts';
import { history } from '../support/run-history.ts';
import { note, untilStopped } from '../support/stand-ins.ts';

const model = { answers: [{ calls: [{ tool: 'note' }, { tool: 'slow' }] }, { text: 'done' }] };
const slow = untilStopped('slow', () => Promise.reject(new Error('cut')));

/** A run, or a loop of attempts, that was paused in the middle of a call. */
async function paused(loop: 'turn' | 'iteration' = 'turn') {
  const log = memoryLog();
  const harness = createHarness({ log, tools: [note, slow], model });
  const { run, observer, pause, done } = await harness.start({
    loop,
    ...(loop === 'iteration' ? { checks: ['true'] } : {}),
  });
  const { run: inner } = await observer.untilDelta(({ text }) => text === 'slow');
  await pause('user');
  await done;
  return { log, run, inner, supervisor: harness.supervisor };
}

/** Records an event as another program would. */
const record = (log: Log, run: string, type: string, schema: number, payload: Json): Promise<number> =>
  recorded(log, run, payload, { type, schema });

async function recorded(
  log: Log,
  run: string,
  payload: Json,
  facts: { readonly type: string; readonly schema: number; readonly mark?: string | null },
): Promise<number> {
  const { version = 0, root = run } = (await log.run(run)) ?? {};
  const lease = await take(log, root);
  await appended(
    log.append({
      run,
      events: [fact(payload, { ...facts, at: new Date().toISOString() })],
      expectedVersion: version,
      epoch: lease.epoch,
    }),
  );
  await log.release(lease);
  return version + 1;
}

test('every event is recorded with the number of its schema, and the start with the program that writes', async () => {
  const { log, run } = await paused();
  const numbers = new Map((await history(log, run)).map(({ type, schema }) => [type, schema]));
  expect(Object.fromEntries(numbers)).toMatchObject({ 'run.started': 14, 'decision.made': 6, 'model.completed': 5 });
  expect((await history(log, run))[0]?.payload).toMatchObject({ program: PROGRAM });
});

test('a run is not resumed where a run below it cannot be read, and neither of them is written to', async () => {
  const { log, run, inner, supervisor } = await paused('iteration');
  const version = await record(log, inner, 'warning.raised', 9, { code: 'slow', message: 'slow' });
  const before = [await history(log, run), await history(log, inner)];
  expect(await supervisor.resume(run)).toMatchObject({
    kind: 'unreadable',
    run: inner,
    version,
    because: 'later_schema',
  });
  expect([await history(log, run), await history(log, inner)]).toEqual(before);
  expect(await log.holder(run)).toBeNull();
});

test('a payload that breaks a fold is looked at then, and told as what it is', async () => {
  const { log, run, supervisor } = await paused();
  await record(log, run, 'run.resumed', 2, { idleMs: 0, program: PROGRAM });
  const version = await record(log, run, 'child.settled', 1, { callId: '0.1' });
  const before = await rebuild(log, run, version - 1);
  expect(before.kind).toBe('loaded');
  const found = { kind: 'unreadable', version, because: 'misfit', detail: expect.stringContaining('payload.child') };
  expect(await rebuild(log, run)).toMatchObject(found);
  expect(await supervisor.resume(run)).toMatchObject(found);
});

test.each([
  ['this version of the program stands for the events before it', PROGRAM, { kind: 'loaded' }],
  ['another version stands for nothing', 'loopfold@9.9.9', { kind: 'unreadable', because: 'unknown_type' }],
])('a stored state of %s', async (_, program, expected) => {
  const { log, run } = await paused();
  const first = await rebuild(log, run);
  if (first.kind !== 'loaded') throw new Error(first.kind);
  const state = { ...(freezeState(first.state) as object), version: first.state.version + 1, program };
  const mark = markWithState('wind/0#', state);
  const version = await recorded(log, run, { wind: 'north' }, { type: 'weather.changed', schema: 1, mark });
  const { hash = '' } = (await log.run(run)) ?? {};
  await log.saveSnapshot({ run, version, hash, machine: 'turn@1', state });
  expect(await rebuild(log, run)).toMatchObject(expected);
});

test('other runs of the log are served', async () => {
  const { log, run, supervisor } = await paused();
  await record(log, run, 'weather.changed', 1, { wind: 'north' });
  expect(await supervisor.resume(run)).toMatchObject({ kind: 'unreadable' });
  const other = createHarness({ log, model: { answers: [{ text: 'done' }] } });
  expect((await other.play({ loop: 'turn' })).outcome.ending).toBe('success');
});
