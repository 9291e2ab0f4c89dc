import { expect, test } from 'vitest';
import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import type { IterationContext } from '../../../machines/iteration.machine.ts';
import { born } from '../../../machines/life.ts';
import { IterationMemory, type Measured } from '../../../src/loops/iteration/memory.ts';
import * as has from '../../support/facts.ts';
import { timeAt } from '../../support/given.ts';

const context: IterationContext = { ...born(undefined), iterations: 1, attempt: null };

/** One fact a second. */
function watching(...events: readonly LoopEvent[]): IterationMemory {
  const iterations = new IterationMemory('run-1', { checks: [{ level: 'L0' }] });
  for (const [index, event] of events.entries()) {
    iterations.observe({ ...event, run: 'run-1', version: index + 1, at: timeAt(index * 1000) });
  }
  return iterations;
}

const told = (...events: readonly LoopEvent[]) => watching(...events).complete(context, timeAt(events.length * 1000));

test('a strategy sees an interrupted attempt as a failed one', () =>
  expect(told(has.iterationStarted(0), has.interrupted('agent'), has.workspaceCaptured('tree-9'))).toMatchObject({
    agentSuccess: false,
    agentResult: { success: false, outcome: null, tokensUsed: null },
    workspaceHash: 'tree-9',
  }));

test('L10 a strategy knows the workspace as the run found it, from its proof or its worktree', () => {
  const startOf = (settings: Omit<Measured, 'checks'>) => {
    const memory = new IterationMemory('run-1', { checks: [], ...settings });
    for (const [index, event] of [has.iterationStarted(0), has.attemptSettled()].entries())
      memory.observe({ ...event, run: 'run-1', version: index + 1, at: timeAt(0) });
    return memory.complete(context, timeAt(0))?.workspaceAtStart;
  };
  const proof = { at: timeAt(0), head: null, protect: [], unprotect: [], dependencies: [] };
  const isolation = { kind: 'worktree' as const, origin: '/a', top: '/b', repository: '/c', dependencies: [] };
  expect(startOf({})).toBeNull();
  expect(startOf({ proof: { ...proof, base: 'tree-0' } })).toBe('tree-0');
  expect(startOf({ proof: { ...proof, base: 'tree-0', start: 'tree-1' } })).toBe('tree-1');
  expect(startOf({ isolation: { ...isolation, base: 'tree-2' } })).toBe('tree-2');
});

test('an interrupted capture is no word about the attempt', () =>
  expect(told(has.iterationStarted(0), has.attemptSettled(), has.interrupted('capture'))?.agentSuccess).toBe(true));

test('an attempt that is not over is no iteration yet', () => expect(told(has.iterationStarted(0))).toBeNull());

const ci = { passed: true, output: 'green', exitCode: 0, durationMs: 5 };
const asked = (levels: EventOf<'verification.completed'>['payload']['levels'], workspace: string): LoopEvent => ({
  type: 'verification.completed',
  payload: { passed: false, workspace, levels, ci },
});

test('L2 what the CI said is told, also where nothing was checked: then nothing is proven or disproven', () =>
  expect(
    told(has.iterationStarted(0), has.attemptSettled(), has.workspaceCaptured('tree-9'), asked([], 'tree-9')),
  ).toMatchObject({
    ciStatus: { passed: true, output: 'green' },
    verificationReport: null,
    verificationPassed: null,
  }));

test('L2 what was said of another workspace is no word about this one', () =>
  expect(
    told(has.iterationStarted(0), has.attemptSettled(), has.workspaceCaptured('tree-9'), asked([], 'tree-8')),
  ).toMatchObject({
    ciStatus: null,
    verificationReport: null,
  }));

const whole = (iteration: number, ...checked: readonly LoopEvent[]): LoopEvent[] => [
  has.iterationStarted(iteration),
  has.attemptSettled(),
  has.workspaceCaptured(`tree-${iteration}`),
  ...checked,
];

test('L2 a duration is of its iteration alone; the elapsed time counts from the start of the run', () => {
  const three = [0, 1, 2].flatMap((iteration) => [
    ...whole(iteration, has.checked(false, `tree-${iteration}`)),
    has.decidedToGoOn,
  ]);
  const sinceTheStart = three.flatMap(({ type }, second) => (type === 'decision.made' ? [second * 1000] : []));
  const previous = told(...three, ...whole(3))?.previousIterations;
  expect(previous?.map(({ durationMs }) => durationMs)).toEqual([4000, 4000, 4000]);
  expect(sinceTheStart).toEqual([4000, 9000, 14_000]);
});

test('L3 what shows how an iteration went is its verification, else the end of its attempt', () => {
  const iterations = watching(
    ...whole(0, has.checked(false, 'tree-0')),
    has.decidedToGoOn,
    ...whole(1),
    has.decidedToGoOn,
    has.iterationStarted(2),
    has.interrupted('agent'),
    has.workspaceCaptured('tree-2'),
  );
  expect(iterations.shownBy([0, 1, 2])).toEqual([4, 7, 11]);
  expect(iterations.shownBy([2, 0, 7])).toEqual([4, 11]);
});

test('L10 the best iteration has its workspace and failing checks, the newest included; null before the first', () => {
  const first = whole(0, has.checked(false, 'tree-0'));
  expect(watching().best()).toBeNull();
  expect(watching(has.iterationStarted(0)).best()).toBeNull();
  expect(watching(...first).best()).toEqual({ iteration: 0, workspace: 'tree-0', ref: null, failing: ['L1/unit'] });
  expect(watching(...first, has.decidedToGoOn, ...whole(1, has.checked(false, 'tree-1'))).best()).toMatchObject({
    iteration: 1,
  });
  expect(watching(...first, has.decidedToGoOn, has.iterationStarted(1), has.interrupted('agent')).best()).toMatchObject(
    { iteration: 0 },
  );
});
