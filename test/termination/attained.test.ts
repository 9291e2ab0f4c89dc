import { expect } from 'vitest';
import type { LoopEvent, Recorded } from '../../machines/events.ts';
import type { Loop } from '../support/facts.ts';
import { MAX_CALLS_A_STEP, type TurnContext } from '../../machines/turn.machine.ts';
import { fold, hasEnded, lifeOf, type RunState } from '../../src/kernel/fold.ts';
import { refusal } from '../../src/kernel/step.ts';
import * as has from '../support/facts.ts';
import { testInTurn } from '../support/in-turn.ts';
import { opened } from './exploration.ts';
import { offers } from './offers.ts';
import { isOutside, rankIn } from './ranked.ts';

const unlimited = { maxSteps: null, maxToolCalls: null, maxTokens: null, maxIterations: null, maxTimeMs: null };

/** The rank is not merely an upper bound: there is a run that takes as many events, without external input. */
testInTurn.each<[Loop, has.Beginning]>([
  ['turn', { checks: true, limits: { maxSteps: 0 } }],
  ['turn', { limits: { maxSteps: 3, maxToolCalls: 70 } }],
  ['turn', { checks: true, limits: { maxSteps: 4, maxToolCalls: 300 } }],
  ['turn', { checks: true, limits: { ...unlimited, maxTokens: 2 } }],
  ['turn', { limits: { ...unlimited, maxTimeMs: 3 } }],
  ['iteration', { checks: true, limits: { maxIterations: 100 } }],
  ['iteration', { limits: { ...unlimited, maxTokens: 7 } }],
  ['ralph', { limits: { maxIterations: 3 }, options: { ceiling: 3 } }],
  ['ralph', { checks: true, limits: { ...unlimited, maxTokens: 7 } }],
])('the bound of a %s under %j is attained', (loop, beginning) => {
  const start = opened(loop, beginning);
  expect(taken(start)).toEqual({ events: rankIn(start), hasEnded: true });
});

/** Takes, as long as there is one, an event that brings the end nearer by no more than one. */
function taken(start: RunState): { events: number; hasEnded: boolean } {
  let state = start;
  let last: LoopEvent | null = null;
  for (let events = 0; ; events += 1) {
    const event = slowest(state, last);
    if (!event) return { events, hasEnded: hasEnded(state) };
    state = fold(state, event);
    last = event;
  }
}

function slowest(state: RunState, last: LoopEvent | null): Recorded<LoopEvent> | undefined {
  const rank = rankIn(state);
  return [...offers(state, last), ...crowds(state)]
    .filter((event) => !isOutside(event, state))
    .map((event) => ({ ...event, at: state.at, version: state.version + 1 }))
    .find((event) => refusal(state.snapshot, event) === null && rankIn(fold(state, event)) === rank - 1);
}

/** As many calls as there may be. */
function crowds(state: RunState): readonly LoopEvent[] {
  if (state.entry.id !== 'turn@1') return [];
  const { limits, spend } = lifeOf(state);
  const { steps } = state.snapshot.context as TurnContext;
  const left = limits.maxToolCalls === null ? MAX_CALLS_A_STEP : limits.maxToolCalls - spend.toolCalls;
  const ids = Array.from(
    { length: Math.max(0, Math.min(MAX_CALLS_A_STEP, left)) },
    (_, index) => `${steps - 1}.${index}`,
  );
  return ids.length === 0 ? [] : [has.modelAskedFor(...ids), has.callsAdmitted(...ids)];
}
