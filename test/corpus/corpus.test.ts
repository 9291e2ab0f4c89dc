import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { countingResults } from '../../src/detectors/complete-choice.ts';
import { DEFAULT_DETECTORS } from '../../src/detectors/profile.ts';
import { type Score, scored } from '../../src/redecide/lab-stories.ts';
import { readStory } from '../../src/redecide/story.ts';
import { testInTurn } from '../support/in-turn.ts';
import { isApart } from './apart.ts';
import { families, toldIn } from './families.ts';
import { corpusStories, traitsHere } from './stored.ts';
import { recorded } from './recorder.ts';
import { TRANSCRIPTS } from './stories/transcript.ts';

/** As the runs of agents have them. */
const DEFAULT = countingResults(DEFAULT_DETECTORS);
const stories = corpusStories();
/** The default detectors but those that only report what happened. */
const all: readonly Score[] = await scored(stories, DEFAULT, traitsHere);

/** Those that have stories of their own. */
const scores = all.filter(({ detector }) => families.some((family) => family.detector === detector));

test('every default detector has twenty loops and twenty lookalikes of its own, each told once', () => {
  for (const { detector } of scores) {
    const labels = stories.filter((story) => story.detector === detector).map(({ label }) => label);
    const loops = labels.filter((label) => label === 'loop').length;
    expect({ detector, enough: loops >= 20 && labels.length - loops >= 20 }).toEqual({ detector, enough: true });
  }
  const titles = stories.map(({ detector, story, seed }) => `${detector} ${story} ${seed}`);
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles).toHaveLength(toldIn(families).length);
});

test.each(scores.map((score) => [score.detector, score] as const))(
  '%s notices every loop, and ends nothing that only looks like one',
  (_detector, score) => {
    expect(score.missed).toEqual([]);
    expect(score.recall).toBe(1);
    expect(score.precision).toBeGreaterThanOrEqual(0.95);
    expect(score.mistaken).toEqual([]);
  },
);

test('every loop of a single detector is ended by it', () => {
  expect(scores.flatMap(({ unended }) => unended)).toEqual([]);
});

test('D0+ with results ignored, a command that brings news is ended like a repetition', async () => {
  const polls = stories.filter(({ story }) => story.startsWith('asks a shell command for news'));
  const [ignoring] = await scored(polls, ['identical-calls'], traitsHere);
  const [counting] = await scored(polls, countingResults(['identical-calls']), traitsHere);
  expect([ignoring, counting]).toMatchObject([
    { lookalikes: 1, mistaken: [expect.any(String)] },
    { lookalikes: 1, mistaken: [], nudged: 0 },
  ]);
});

test('a detector that is off finds nothing, and one that is strict finds the same loops', async () => {
  const some = stories.filter(({ detector }) => detector === 'repeated-error');
  expect(await scored(some, [{ name: 'repeated-error', config: { nudge: 90, stop: 100 } }], traitsHere)).toMatchObject([
    { noticed: 0, ended: 0, precision: null, recall: 0 },
  ]);
  expect(await scored(some, ['repeated-error'], traitsHere)).toMatchObject([
    { noticed: 21, ended: 21, precision: 1, recall: 1 },
  ]);
});

testInTurn('told again with the same seed, a story is the same to the last byte', async () => {
  const firsts = toldIn(families).filter(
    ({ family }, index, all) => all.findIndex((one) => one.family === family) === index,
  );
  const names = [...new Set(families.map(({ detector }) => detector))];
  const lines = new Set(
    names.flatMap((name) => readFileSync(new URL(`${name}.jsonl`, import.meta.url), 'utf8').split('\n')),
  );
  for (const { family, seed } of firsts) {
    const line = await recorded(family, seed);
    expect({ story: family.story, seed, isTheSame: lines.has(line) }).toEqual({
      story: family.story,
      seed,
      isTheSame: true,
    });
  }
});

test('a line that is no story says what is wrong with it', () => {
  expect(readStory('{')).toMatchObject({ kind: 'invalid' });
  expect(readStory('{"detector":"x"}')).toMatchObject({ kind: 'invalid', because: expect.stringContaining('label') });
});

describe('the transcripts', () => {
  const transcripts = stories.filter(({ detector }) => detector === TRANSCRIPTS);
  const [tuned, apart] = all.filter(({ detector }) => detector === 'all');

  test('D13 D14 D0+ are at least sixty, half of them stuck, and a third is kept apart by a seed', () => {
    const loops = transcripts.filter(({ label }) => label === 'loop').length;
    const share = transcripts.filter(({ isApart }) => isApart).length / transcripts.length;
    expect(transcripts.length).toBeGreaterThanOrEqual(60);
    expect(loops / transcripts.length).toBeGreaterThan(0.45);
    expect(loops / transcripts.length).toBeLessThan(0.55);
    expect(share).toBeGreaterThan(0.28);
    expect(share).toBeLessThan(0.38);
    for (const { detector, story, seed, isApart: is } of stories) expect(is).toBe(isApart(detector, story, seed));
  });

  test('D13 D14 D0+ those apart count by themselves, and for no single detector', () => {
    const count = (isApart: boolean, label: string) =>
      transcripts.filter((one) => one.isApart === isApart && one.label === label).length;
    expect(tuned).toMatchObject({ loops: count(false, 'loop'), lookalikes: count(false, 'lookalike') });
    expect(apart).toMatchObject({ isApart: true, loops: count(true, 'loop'), lookalikes: count(true, 'lookalike') });
    const lookalikes = stories.filter(({ label, isApart: is }) => label === 'lookalike' && !is).length;
    for (const score of scores) expect(score.lookalikes).toBe(lookalikes);
  });

  test('D13 D14 D0+ of those apart, four in five stuck ones are ended, and one in twenty healthy ones at most', () => {
    expect((apart?.ended ?? 0) / (apart?.loops ?? 1)).toBeGreaterThanOrEqual(0.8);
    expect((apart?.mistaken.length ?? 1) / (apart?.lookalikes ?? 1)).toBeLessThanOrEqual(0.05);
  });
});
