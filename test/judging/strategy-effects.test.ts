import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { advise } from '../../src/judging/strategy-effects.ts';
import type { LoopDecision } from '../../src/strategies/loop-decision.ts';
import type { IterationCompleteEvent, LoopStrategy, StrategyCall } from '../../src/strategies/strategy.ts';

const LIMIT_MS = 5_000;
const event = { runId: 'run-1', iteration: 2 } as IterationCompleteEvent;
const goOn: LoopDecision = { continue: true, reason: 'more' };

/** Asks a strategy, and gives what it was called with. */
function asked(answer: Promise<LoopDecision>, signal: AbortSignal) {
  const calls: (StrategyCall | undefined)[] = [];
  const onIterationComplete: LoopStrategy['onIterationComplete'] = (_event, call) => {
    calls.push(call);
    return answer;
  };
  const advised = advise({ name: 'own', onIterationComplete }, event, { signal, limitMs: LIMIT_MS, round: 'round' });
  return { advised, isToldToStop: () => calls[0]?.signal.aborted };
}
const never = new Promise<LoopDecision>(() => {});
const waitingFor = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length + vi.getTimerCount();

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('a strategy that has answered leaves no timer and no listener behind', async () => {
  const { signal } = new AbortController();
  const { advised, isToldToStop } = asked(Promise.resolve(goOn), signal);
  expect(waitingFor(signal)).toBe(2);
  expect(await advised).toEqual({ kind: 'advice', advice: { strategy: 'own', decision: goOn } });
  await vi.waitFor(() => expect(waitingFor(signal)).toBe(0));
  expect(isToldToStop()).toBe(false);
});

test('a strategy that is late is told to stop, and waited for no longer', async () => {
  const { signal } = new AbortController();
  const { advised, isToldToStop } = asked(never, signal);
  vi.advanceTimersByTime(LIMIT_MS);
  const message = 'strategy own, run run-1, round 3: no answer within 5 s';
  expect(await advised).toEqual({ kind: 'fault', fault: { code: 'strategy_timed_out', message } });
  expect(waitingFor(signal)).toBe(0);
  expect(isToldToStop()).toBe(true);
});

test.each(['before it is asked', 'while it thinks'])(
  'a caller that stops %s stops the strategy at once',
  async (when) => {
    const controller = new AbortController();
    if (when === 'before it is asked') controller.abort();
    const { advised, isToldToStop } = asked(never, controller.signal);
    controller.abort();
    const message = 'strategy own, run run-1, round 3: it was told to stop';
    expect(await advised).toEqual({ kind: 'fault', fault: { code: 'strategy_failed', message } });
    expect(waitingFor(controller.signal)).toBe(0);
    expect(isToldToStop()).toBe(true);
  },
);
