import { expect, test } from 'vitest';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { IterationContext } from '../../machines/iteration.machine.ts';
import { born } from '../../machines/life.ts';
import { Iterations } from '../../src/runtime/iterations.ts';
import * as has from '../support/facts.ts';
import { clock } from '../support/given.ts';

const context: IterationContext = { ...born(undefined), iterations: 1, attempt: null };

function told(...events: readonly LoopEvent[]) {
  const iterations = new Iterations('run-1', 1);
  for (const [index, event] of events.entries()) {
    iterations.observe({ ...event, run: 'run-1', version: index + 1, at: clock(index * 1000) });
  }
  return iterations.complete(context, clock(events.length * 1000));
}

test('a strategy hears of an attempt that was cut short as of one that failed', () =>
  expect(told(has.iterationStarted(0), has.interrupted('agent'), has.workspaceCaptured('tree-9'))).toMatchObject({
    agentSuccess: false,
    agentResult: { success: false, outcome: null, tokensUsed: null },
    workspaceHash: 'tree-9',
  }));

test('an interrupted capture is no word about the attempt', () =>
  expect(told(has.iterationStarted(0), has.attemptSettled(), has.interrupted('capture'))?.agentSuccess).toBe(true));

test('an attempt that is not over is no iteration yet', () => expect(told(has.iterationStarted(0))).toBeNull());

const ci = { passed: true, output: 'green', exitCode: 0, durationMs: 5 };
const asked = (levels: EventOf<'verification.completed'>['payload']['levels'], workspace: string): LoopEvent => ({
  type: 'verification.completed',
  payload: { passed: false, workspace, levels, ci },
});

test('L2 what the CI said is told, also where nothing was checked: then nothing is proven or disproven', () =>
  expect(told(has.iterationStarted(0), has.attemptSettled(), has.workspaceCaptured('tree-9'), asked([], 'tree-9'))).toMatchObject({
    ciStatus: { passed: true, output: 'green' },
    verificationReport: null,
    verificationPassed: null,
  }));

test('L2 what was said of another workspace is no word about this one', () =>
  expect(told(has.iterationStarted(0), has.attemptSettled(), has.workspaceCaptured('tree-9'), asked([], 'tree-8'))).toMatchObject({
    ciStatus: null,
    verificationReport: null,
  }));
