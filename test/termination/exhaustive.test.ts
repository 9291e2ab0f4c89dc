import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { Beginning, Loop } from '../support/facts.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { rankingOf } from '../../src/termination/rank.ts';
import { OUTSIDE } from '../../src/kernel/loop-ranking.ts';
import { tenthOf } from '../support/tenth.ts';
import { explored, longest, opened, type Taken } from './exploration.ts';
import { isOutside, rankIn, rankingIn, stoodStill } from './ranked.ts';

type Limited = readonly [Loop, Beginning, readonly LoopEvent['type'][]];

/** Two steps and their calls have up to a hundred thousand edges: `npm test` takes one of the two. */
const large: readonly Limited[] = [
  ['turn', { checks: true, limits: { maxSteps: 2, maxToolCalls: 1 } }, ['warning.raised']],
  ['turn', { checks: true, limits: { maxSteps: 2, maxToolCalls: 2 } }, ['warning.raised']],
];

/** Every state under small limits. Warnings go with everything: where there is much of that, they are left out. */
const small: readonly Limited[] = [
  ['turn', { checks: true, limits: { maxSteps: 0, maxToolCalls: 2 } }, []],
  ['turn', { checks: true, limits: { maxSteps: 1, maxToolCalls: 0 } }, []],
  ['turn', { limits: { maxSteps: 1, maxToolCalls: 2 } }, ['warning.raised']],
  ...tenthOf(large),
  ['iteration', { limits: { maxIterations: 0 } }, []],
  ['iteration', { checks: true, limits: { maxIterations: 1 } }, []],
  ['iteration', { checks: true, limits: { maxIterations: 2 } }, []],
];

const taken = new Map<string, Set<string>>();

describe.each(small)('every state of a %s under %j without %j', (loop, beginning, without) => {
  const { id } = opened(loop, beginning).entry;
  const seen = taken.get(id) ?? new Set<string>();
  taken.set(id, seen);
  const idle: string[] = [];
  const wrong: string[] = [];
  const all = explored(loop, beginning, without, (edge) => {
    for (const transition of edge.transitions) seen.add(transition);
    const still = stoodStill(edge);
    if (still !== null) idle.push(still);
    wrong.push(...mistaken(edge));
  });

  test('every event brings the run nearer to its end, or comes from outside and leads no further away', () => {
    expect(firstFew(idle)).toEqual([]);
  });

  test('no way without input from outside comes back, and the longest is exactly as long as the rank says', () => {
    const rounds = loop === 'turn' ? (beginning.limits?.maxSteps ?? 0) : (beginning.limits?.maxIterations ?? 0);
    const leftOut = without.includes('warning.raised') ? (Math.max(1, rounds) + 1) * 16 : 0;
    expect(longest(all)).toBe(rankIn(opened(loop, beginning)) - leftOut);
  });

  test('the declared part of the rank falls on its transition, or external input took it', () => {
    expect(firstFew(wrong)).toEqual([]);
  });
});

/** Edits of its file lead to too many states: its proofs look at random runs instead. */
const walked = shippedLoops.filter(({ id }) => !id.startsWith('ralph@'));

test.each(walked)('every transition of $id of which something is said was taken', (loop) => {
  const { falls } = rankingOf(loop);
  expect(Object.keys(falls).filter((id) => !taken.get(loop.id)?.has(id))).toEqual([]);
});

test('an event that does nothing is found out', () => {
  const state = opened('turn', {});
  const event: LoopEvent = { type: 'warning.raised', payload: { code: 'idle', message: 'nothing happens' } };
  const why = 'warning.raised at version 1: 5400 events were left before it, and 5400 after it';
  expect(stoodStill({ event, before: state, after: state })).toBe(why);
  expect(
    stoodStill({ event: { type: 'run.paused', payload: { by: 'user' } }, before: state, after: state }),
  ).toBeNull();
});

function mistaken({ event, before, after, transitions }: Taken): string[] {
  const { falls, left } = rankingIn(before);
  return transitions.filter((id) => {
    const kind = falls[id];
    if (kind === undefined) return false;
    return kind === OUTSIDE ? !isOutside(event, before) : (left(after)[kind] ?? 0) >= (left(before)[kind] ?? 0);
  });
}

const firstFew = (all: readonly string[]): string[] => [...new Set(all)].slice(0, 5);
