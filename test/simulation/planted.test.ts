import { expect, vi } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { live } from './world/live.ts';
import { plantedNightBugs } from './world/planted-night-bugs.ts';
import { plantedBugs } from './world/planted-bugs.ts';

vi.mock('node:timers/promises', () => import('./world/timers-promises.ts'));
vi.mock('../../src/log/log.ts', async (original) => ({ ...(await original<object>()), SNAPSHOT_EVERY_EVENTS: 6 }));

/** A bug that so many lives do not show is not found. */
const MAX_SEEDS = 100;

testInTurn.each(Object.entries({ ...plantedBugs, ...plantedNightBugs }))(
  'the simulation finds out when %s',
  async (_bug, { seams, found }) => {
    const told: string[] = [];
    for (let seed = 1; seed <= MAX_SEEDS && !told.some((violation) => found.test(violation)); seed += 1)
      told.push(...(await live(seed, seams)).violations);
    expect(told).toContainEqual(expect.stringMatching(found));
  },
);
