import { MAX_AGENT_EVENTS_A_STEP } from '../../machines/agent-report.ts';
import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { type Beginning, type Loop, settingsOf } from '../support/facts.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { definitionOf } from '../../src/kernel/loop-definition.ts';
import { lifeOf } from '../../src/kernel/fold.ts';
import { boundReport, rankingOf } from '../../src/termination/bound.ts';
import { OUTSIDE } from '../../src/kernel/loop-ranking.ts';
import { MAX_WARNINGS_A_ROUND } from '../../machines/life.ts';
import { takesAll, tenthOf } from '../support/tenth.ts';
import { explored, longest, longestWithInput, opened, type Taken } from './exploration.ts';
import { isOutside, rankIn, rankingIn, stoodStill } from './ranked.ts';

type Limited = readonly [Loop, Beginning, readonly LoopEvent['type'][]];

/** The maximum of the loop with a state file: it grows, and people edit it. */
const growing = { limits: { maxIterations: 1 }, options: { ceiling: 2, adaptive: true } };

const oneCandidate = { limits: { maxIterations: 1 }, options: { phases: { filter: { maxCandidates: 1 } } } };
const twoAtOnce = {
  limits: { maxIterations: 1 },
  options: { phases: { filter: { maxCandidates: 2 }, experiment: { maxParallel: 2 } } },
};
const asking = {
  limits: { maxIterations: 1 },
  options: { phases: { filter: { maxCandidates: 1 }, integrate: { requireApproval: true } } },
};

/** Each has up to a hundred thousand edges: `npm test` takes one of them. */
const large: readonly Limited[] = [
  ['turn', { checks: true, limits: { maxSteps: 2, maxToolCalls: 1 } }, ['warning.raised', 'agent.worked']],
  ['turn', { checks: true, limits: { maxSteps: 2, maxToolCalls: 2 } }, ['warning.raised', 'agent.worked']],
  ['ralph', { checks: true, ...growing }, ['warning.raised']],
];

/** Each raises the number of states fourfold. */
const warnings: Limited[2] = takesAll ? ['agent.worked'] : ['warning.raised', 'agent.worked'];

/** Every state under small limits. Warnings go with everything: where there is much of that, they are left out. */
const small: readonly Limited[] = [
  ['turn', { checks: true, limits: { maxSteps: 0, maxToolCalls: 2 } }, ['agent.worked']],
  ['turn', { limits: { maxSteps: 1, maxToolCalls: 0 } }, ['warning.raised']],
  ['turn', { checks: true, proof: true, limits: { maxSteps: 1, maxToolCalls: 0 } }, warnings],
  ['turn', { limits: { maxSteps: 1, maxToolCalls: 2 } }, ['warning.raised', 'agent.worked']],
  ...tenthOf(large),
  ['iteration', { limits: { maxIterations: 0 } }, []],
  ['iteration', { checks: true, proof: true, limits: { maxIterations: 1 } }, []],
  ['iteration', { checks: true, limits: { maxIterations: 2 } }, []],
  ['ralph', { limits: { maxIterations: 1 }, options: { ceiling: 1 } }, ['state_file.edited', 'state_file.revisited']],
  ['ralph', { checks: true, proof: true, limits: { maxIterations: 1 }, options: { ceiling: 1 } }, ['warning.raised']],
  ['ralph', growing, ['warning.raised', 'abort.requested', 'timer.fired']],
  ['improvement', { checks: true, proof: true, ...oneCandidate }, ['warning.raised']],
  ['improvement', asking, []],
  ['contest', { limits: { maxIterations: 1 } }, []],
  ['contest', { checks: true, proof: true, limits: { maxIterations: 1 } }, ['warning.raised']],
  [
    'contest',
    { checks: true, limits: { maxIterations: 2 }, options: { parallel: 1 } },
    ['warning.raised', 'run.steered', 'run.paused', 'timer.fired', 'abort.requested'],
  ],
  ['improvement', twoAtOnce, ['warning.raised', 'run.steered', 'run.paused', 'timer.fired']],
];

const taken = new Map<string, Set<string>>();

describe.each(small)('every state of a %s under %j without %j', (loop, beginning, without) => {
  const { id } = opened(loop, beginning).entry;
  const seen = taken.get(id) ?? new Set<string>();
  taken.set(id, seen);
  const idle: string[] = [];
  const wrong: string[] = [];
  const bound = boundReport(settingsOf(loop, beginning), shippedLoops);
  let rounds = 0;
  const all = explored(loop, beginning, without, (edge) => {
    for (const transition of edge.transitions) seen.add(transition);
    const still = stoodStill(edge);
    if (still !== null) idle.push(still);
    wrong.push(...mistaken(edge));
    rounds = Math.max(rounds, definitionOf(id, shippedLoops).rounds.count(lifeOf(edge.after)));
  });

  test('every event brings the run nearer to its end, or comes from outside and leads no further away', () => {
    expect(firstFew(idle)).toEqual([]);
  });

  test('no way without input from outside comes back', () => {
    expect(longest(all)).not.toBeNull();
  });

  test('the longest way is exactly as long as the rank says', () => {
    // Beside each iteration its one experiment begins, too.
    const begun = loop === 'improvement' ? (beginning === twoAtOnce ? 3 : 2) * bound.rounds : bound.rounds;
    const unraised = without.includes('warning.raised') ? (begun + 1) * MAX_WARNINGS_A_ROUND : 0;
    const untold = loop === 'turn' && without.includes('agent.worked') ? bound.rounds * MAX_AGENT_EVENTS_A_STEP : 0;
    const deadline = without.includes('timer.fired') ? 1 : 0;
    const most = rankIn(opened(loop, beginning)) - unraised - untold - deadline;
    // Where attempts compete, not each of them is compared alone, and chosen in vain.
    if (loop === 'contest') return expect(longest(all)).toBeLessThanOrEqual(most);
    expect(longestWithInput(all, most)).toBe(most);
    // Only people lower the maximum of a loop with a state file, so that it grows once more; and only they rule on
    // changed grounds, so that the checks of a round run again. In a turn the longest way fails before any checks.
    // Only a person lets a change be kept, where the run asks.
    const ruled = (loop === 'iteration' && beginning.proof) || beginning === asking ? bound.rounds : 0;
    if (loop !== 'ralph') expect(longest(all)).toBe(most - ruled);
  });

  test('the most rounds of any way are those that the bound of the settings names', () => {
    expect(rounds).toBe(bound.rounds);
  });

  test('the declared part of the rank falls on its transition, or external input took it', () => {
    expect(firstFew(wrong)).toEqual([]);
  });
});

test.each(shippedLoops)('every transition of $id of which something is said was taken', (loop) => {
  const { falls } = rankingOf(loop);
  expect(Object.keys(falls).filter((id) => !taken.get(loop.id)?.has(id))).toEqual([]);
});

test('an event that does nothing is found out', () => {
  const state = opened('turn', {});
  const event: LoopEvent = { type: 'warning.raised', payload: { code: 'idle', message: 'nothing happens' } };
  const why = 'warning.raised at version 1: 15400 events were left before it, and 15400 after it';
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
