import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { Beginning, Loop } from '../support/facts.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { rankingOf } from '../../src/termination/rank.ts';
import { OUTSIDE } from '../../src/runtime/ranking.ts';
import { type Edge, explored, longest, opened } from './exploration.ts';
import { isOutside, rankIn, rankingIn, stoodStill } from './ranked.ts';

/** Every state under small limits. Warnings go with everything: where there is much of that, they are left out. */
const small: readonly (readonly [Loop, Beginning, readonly LoopEvent['type'][]])[] = [
  ['turn', { checks: true, limits: { maxSteps: 0, maxToolCalls: 2 } }, []],
  ['turn', { checks: true, limits: { maxSteps: 1, maxToolCalls: 0 } }, []],
  ['turn', { limits: { maxSteps: 1, maxToolCalls: 2 } }, ['warning.raised']],
  ['turn', { checks: true, limits: { maxSteps: 2, maxToolCalls: 1 } }, ['warning.raised']],
  ['turn', { checks: true, limits: { maxSteps: 2, maxToolCalls: 2 } }, ['warning.raised']],
  ['iteration', { limits: { maxIterations: 0 } }, []],
  ['iteration', { checks: true, limits: { maxIterations: 1 } }, []],
  ['iteration', { checks: true, limits: { maxIterations: 2 } }, []],
];

const taken = new Map<string, Set<string>>();

describe.each(small)('every state of a %s under %j without %j', (loop, beginning, without) => {
  const all = explored(loop, beginning, without);
  const { id } = opened(loop, beginning).entry;
  taken.set(id, new Set([...(taken.get(id) ?? []), ...all.edges.flatMap(({ transitions }) => transitions)]));

  test('every event brings the run nearer to its end, or comes from outside and leads no further away', () => {
    expect(firstFew(all.edges.flatMap((edge) => stoodStill(edge) ?? []))).toEqual([]);
  });

  test('no way without input from outside comes back, and the longest is exactly as long as the rank says', () => {
    const rounds = loop === 'turn' ? (beginning.limits?.maxSteps ?? 0) : (beginning.limits?.maxIterations ?? 0);
    const leftOut = without.includes('warning.raised') ? (Math.max(1, rounds) + 1) * 16 : 0;
    expect(longest(all)).toBe(rankIn(opened(loop, beginning)) - leftOut);
  });

  test('what is said to fall on a transition falls there, or somebody outside has taken it', () => {
    expect(firstFew(all.edges.flatMap(mistaken))).toEqual([]);
  });
});

test.each(shippedLoops)('every transition of $id of which something is said was taken', (loop) => {
  const { falls } = rankingOf(loop);
  expect(Object.keys(falls).filter((id) => !taken.get(loop.id)?.has(id))).toEqual([]);
});

test('an event that does nothing is found out', () => {
  const state = opened('turn', {});
  const event: LoopEvent = { type: 'warning.raised', payload: { code: 'idle', message: 'nothing happens' } };
  const why = 'warning.raised at version 1: 5400 events were left before it, and 5400 after it';
  expect(stoodStill({ event, before: state, after: state })).toBe(why);
  expect(stoodStill({ event: { type: 'run.paused', payload: { by: 'user' } }, before: state, after: state })).toBeNull();
});

function mistaken({ event, before, after, transitions }: Edge): string[] {
  const { falls, left } = rankingIn(before);
  return transitions.filter((id) => {
    const kind = falls[id];
    if (kind === undefined) return false;
    return kind === OUTSIDE ? !isOutside(event, before) : (left(after)[kind] ?? 0) >= (left(before)[kind] ?? 0);
  });
}

const firstFew = (all: readonly string[]): string[] => [...new Set(all)].slice(0, 5);
