import { expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { Stopped } from '../../src/actors/actor.ts';
import type { ChildExecution } from '../../src/kernel/effect-handlers.ts';
import { executeChild, type ParentTree } from '../../src/runtime/child-runs.ts';
import type { LoopRun } from '../../src/runtime/loop-run.ts';
import * as has from '../support/facts.ts';
import { settled } from '../support/stand-ins.ts';

const notStarted = has.toolInterrupted('0.0') as ChildExecution['notStarted'];

/** What a child says that is told to stop before it begins, or while its settings are asked for. */
async function stopped(why: Stopped, when: 'before' | 'meanwhile', said?: ChildExecution['notStarted']) {
  const controller = new AbortController();
  const begun: string[] = [];
  if (when === 'before') controller.abort(why);
  const execution = {
    kind: 'child',
    callId: '0.0',
    settings: async () => (controller.abort(why), { kind: 'settings', settings: has.settingsOf('turn') }),
    ...(said ? { notStarted: said } : {}),
  } as unknown as ChildExecution;
  const tree = {
    log: { findByParentEffect: async () => null },
    newRunId: () => 'child',
    begin: (run: string) => (begun.push(run), Promise.reject(new Error('it was stopped'))),
  } as unknown as ParentTree;
  const call = { id: 'root/1/0', attempt: 1, signal: controller.signal, delta: () => {} };
  const events: LoopEvent[] = [];
  for await (const event of executeChild(tree, execution, call)) events.push(event);
  return { begun, events };
}

test.each(['before', 'meanwhile'] as const)('a child that is told to stop %s is not begun', async (when) => {
  expect(await stopped('abort', when, notStarted)).toEqual({ begun: [], events: [notStarted] });
  expect(await stopped('abort', when)).toEqual({ begun: [], events: [] });
});

test('a child that a pause stops before it begins says nothing: it is begun later', async () =>
  expect(await stopped('pause', 'before', notStarted)).toEqual({ begun: [], events: [] }));

test.each(['pause', 'abort'] as const)(
  'a child whose parent is stopped by %s while it begins is told of it',
  async (why) => {
    const controller = new AbortController();
    const told: string[] = [];
    const run = {
      id: 'child',
      done: settled().then(() => ({ kind: 'paused' })),
      steering: [],
      pause: async (by: string) => told.push(`paused by ${by}`),
      post: async ({ type }: LoopEvent) => told.push(type),
    } as unknown as LoopRun;
    const tree = {
      log: { findByParentEffect: async () => null },
      newRunId: () => 'child',
      pausedBy: () => ({ by: 'user' }),
      begin: async () => (controller.abort(why), run),
      remove: async () => true,
    } as unknown as ParentTree;
    const execution = {
      settings: async () => ({ kind: 'settings', settings: has.settingsOf('turn') }),
    } as unknown as ChildExecution;
    const call = { id: 'root/1/0', attempt: 1, signal: controller.signal, delta: () => {} };
    for await (const event of executeChild(tree, execution, call)) throw new Error(`${event.type} is no end of it`);
    expect(told).toEqual([why === 'pause' ? 'paused by user' : 'abort.requested']);
  },
);
