import { expect, test } from 'vitest';
import { seed } from '../support/seed.ts';
import { takesAll } from '../support/tenth.ts';
import { Theatre } from './harness.ts';
import { expectSound, type Played, playThrough } from './played.ts';
import { forEach } from './points.ts';
import type { ScenarioName } from './scenarios.ts';
import { Chance } from './world/chance.ts';

// Beside the kills before and after each commit: real processes, killed wherever they happen to be.

const LIVES = takesAll ? 100 : 2;
const KILLS_A_LIFE = 5;
/** Half as often as one process writes: on a busy machine, several changes are seen as one. */
const MOST_WRITES = 15;
const LONGEST_AFTER_MS = 40;

/** Killed so soon after so many changes of the log. */
const momentOf = (chance: Chance, most: number) => ({
  writes: chance.below(most),
  afterMs: chance.below(LONGEST_AFTER_MS),
});

test('kill -9 at any moment, again and again: nothing is lost or repeated, and each run ends', async () => {
  const lives = Array.from({ length: LIVES }, (_, index) => seed + index);
  const endings: Played[] = [];
  await forEach(lives, async (one) => {
    const chance = new Chance(one);
    const scenario = chance.pick<ScenarioName>(['fixing', 'ralph', 'delegating']);
    const theatre = await Theatre.open(scenario);
    const moments = Array.from({ length: KILLS_A_LIFE }, (_, index) => momentOf(chance, MOST_WRITES / (index + 1)));
    const played = await playThrough(theatre, moments, (moment) => theatre.playUntil(moment));
    expectSound(played);
    endings.push(played);
  });
  expect(endings.map(({ end }) => end.outcome?.ending)).not.toContain(undefined);
  // Some have done all there is to do before: how many depends on how busy the machine is.
  expect(endings.flatMap(({ crashes }) => crashes).length).toBeGreaterThan(lives.length);
});
