import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { ChildExecution } from '../../src/kernel/effect-handlers.ts';
import type { RunMessage } from '../../src/kernel/run-message.ts';
import type { Json } from '../../src/log/envelope.ts';
import type { Append } from '../../src/log/event-store.ts';
import type { Log } from '../../src/log/log.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { executeChild, type ParentTree } from '../../src/runtime/child-runs.ts';
import type { LoopRun } from '../../src/runtime/loop-run.ts';
import { appended, fact, take } from '../../src/testing/log-contract/contract.ts';
import * as has from '../support/facts.ts';

const EFFECT = 'root/1/0';
const parent = { run: 'root', iteration: 0, effect: EFFECT };
const remade = { from: 2, hash: 'a'.repeat(40) };
const isolation = {
  kind: 'worktree',
  origin: '/o',
  top: '/t',
  repository: '/o/.git',
  base: 'tree-0',
  dependencies: [],
};

/** A log with a run and one below it, as a process that is gone has left them. */
async function leftWith(ofChild: readonly LoopEvent[], settings: Partial<RunSettings> = {}): Promise<Log> {
  const log = memoryLog();
  const { epoch } = await take(log, 'root');
  const append = (run: string, expectedVersion: number, events: readonly LoopEvent[], more: Partial<Append> = {}) => {
    const facts = events.map(({ type, payload }) => fact(payload as Json, { type }));
    return appended(log.append({ run, expectedVersion, epoch, events: facts, ...more }));
  };
  const { type, payload } = has.turnStarted();
  await append('root', 0, [has.loopStarted()]);
  const started = { type, payload: { ...payload, settings: { ...payload.settings, parent, ...settings } } };
  await append('child', 0, [started, ...ofChild], { parentEffect: EFFECT });
  await append('root', 1, [{ type: 'run.resumed', payload: { idleMs: 0, remade } }]);
  return log;
}

/** With what the run below is opened again, and what it then says to its parent. */
async function resumedIn(log: Log) {
  const first: RunMessage[] = [];
  const handlers = { observe: () => {}, answer: () => '', steering: () => [] };
  const run = { id: 'child', done: Promise.resolve({ kind: 'paused' }), steering: [] } as unknown as LoopRun;
  const tree = {
    log,
    makeHandlers: () => handlers,
    loops: shippedLoops,
    now: () => 0,
    reopen: async (_run: string, _loaded: unknown, message: RunMessage) => (first.push(message), run),
    remove: async () => true,
  } as unknown as ParentTree;
  const call = { id: EFFECT, attempt: 1, signal: new AbortController().signal, delta: () => {} };
  const said: LoopEvent[] = [];
  for await (const event of executeChild(tree, { callId: null } as ChildExecution, call)) said.push(event);
  return { first: first.map(({ event }) => event), said };
}

describe('a run below, that a process which is gone has left', () => {
  test('is opened again where its ending is decided, and not all of it is done', async () => {
    const { first, said } = await resumedIn(await leftWith([has.decidedToEnd('success')]));
    expect(first).toMatchObject([{ type: 'run.resumed' }]);
    expect(said).toEqual([]);
  });

  test('X4 is told from what the worktree was made again, where it works in one', async () => {
    const told = async (settings: Partial<RunSettings>) => (await resumedIn(await leftWith([], settings))).first;
    expect(await told({ isolation: isolation as RunSettings['isolation'] })).toMatchObject([
      { type: 'run.resumed', payload: { remade } },
    ]);
    expect((await told({}))[0]?.payload).not.toHaveProperty('remade');
  });

  test('is not opened where its events are not what was written', async () => {
    const log = await leftWith([]);
    const verifyTree: Log['verifyTree'] = async (run) => ({ kind: 'broken', run, version: 1, reason: 'it was edited' });
    await expect(resumedIn({ ...log, verifyTree })).rejects.toMatchObject({ name: 'LogError', kind: 'damaged' });
  });
});
