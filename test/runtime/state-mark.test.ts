import { expect, test } from 'vitest';
import { freezeState } from '../../src/kernel/fold.ts';
import type { Json } from '../../src/log/envelope.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { markWithState } from '../../src/log/state-mark.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { appended, fact, take } from '../../src/testing/log-contract/contract.ts';
import { pausedRun } from '../support/paused-run.ts';

/** A paused run that a person has steered, and a stored state in which it is not paused, with what `mark` records. */
async function withState(mark: (stored: Json, paused: Json) => string | null) {
  const log = memoryLog();
  const { run } = await pausedRun(log);
  const before = await rebuild(log, run);
  if (before.kind !== 'loaded') throw new Error(before.kind);
  const version = before.state.version + 1;
  const paused: Json = { ...(freezeState(before.state) as Record<string, Json>), version };
  const state = { ...paused, paused: false };
  const lease = await take(log, run);
  const events = [
    fact({ text: 'Faster.' }, { type: 'run.steered', mark: mark(state, paused), at: new Date().toISOString() }),
  ];
  await appended(log.append({ run, events, expectedVersion: before.state.version, epoch: lease.epoch }));
  await log.release(lease);
  const { hash = '' } = (await log.run(run)) ?? {};
  await log.saveSnapshot({ run, version, hash, machine: 'turn@1', state });
  return { version, rebuilt: await rebuild(log, run) };
}

test('a stored state stands for the events before it where its digest was recorded', async () => {
  const { rebuilt } = await withState((stored) => markWithState('wind/0#', stored));
  expect(rebuilt).toMatchObject({ kind: 'loaded', state: { paused: false } });
  expect(rebuilt).not.toHaveProperty('edited');
});

test('one that differs from what was recorded is not used, and told of', async () => {
  const { rebuilt, version } = await withState((_, paused) => markWithState('wind/0#', paused));
  expect(rebuilt).toMatchObject({ kind: 'loaded', state: { version, paused: true }, edited: version });
});

test('one of which nothing was recorded is not used: an earlier program may have stored it', async () => {
  const { rebuilt, version } = await withState(() => null);
  expect(rebuilt).toMatchObject({ kind: 'loaded', state: { version, paused: true } });
  expect(rebuilt).not.toHaveProperty('edited');
});
