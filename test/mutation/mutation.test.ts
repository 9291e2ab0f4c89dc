import { expect, test } from 'vitest';
import { shippedLoops } from '../../src/loops/index.ts';
import { transitionsOf } from '../../src/charts/transitions.ts';
import { testInTurn } from '../support/in-turn.ts';
import { takesAll, tenthOf } from '../support/tenth.ts';
import { killers } from './killers.ts';
import type { Kind } from './mutants.ts';
import { disagreements, isMain, LEAST_SHARE, shareOf } from './report.ts';
import { survivors } from './survivors.ts';
import { findings, killerNames, mutants } from './trial.ts';
import { MAX_MUTANT_MS, tried } from './tried.ts';

const all = [...mutants.values()];
const main = all.filter(isMain);

test('the unchanged machines pass every check that mutants are given', () => {
  for (const loop of shippedLoops) {
    for (const [name, killer] of Object.entries(killers))
      expect({ name, saw: killer(loop) }).toEqual({ name, saw: null });
  }
});

test.each(shippedLoops)(
  '$id: each guard is negated, each target changed in several ways, one at a time',
  ({ id, machine }) => {
    const edited = (kind: Kind, transition: string) =>
      main.filter((mutant) => mutant.kind === kind && mutant.id.startsWith(`${id}: ${transition}: `)).length;
    const transitions = transitionsOf(machine);
    const unedited = transitions.filter(
      ({ id: name, guard, to }) =>
        edited('guard negated', name) !== (guard === null ? 0 : 1) ||
        (to.length === 0 ? edited('target changed', name) > 0 : edited('target changed', name) < 5),
    );
    expect(unedited.map(({ id: name }) => name)).toEqual([]);
  },
);

testInTurn('mutants are caught, or listed with why not; none takes longer than two seconds', async () => {
  const drawn = tenthOf(all);
  const verdicts = await tried(
    drawn.map(({ id }) => ({ id, by: killerNames })),
    2,
  );
  expect(verdicts).toHaveLength(drawn.length);
  expect(disagreements(verdicts, survivors)).toEqual([]);
  // Of a tenth, those that live may happen to be more.
  if (takesAll) expect(shareOf(verdicts.filter(isMain))).toBeGreaterThanOrEqual(LEAST_SHARE);
});

test('a mutant that goes round for ever is caught by that', () => {
  const mutant = 'turn@1: tools.awaitingPerson always 2: not workContinues';
  expect(findings({ id: mutant, by: ['paths'] })).toMatchObject({ why: expect.stringContaining('Infinite loop') });
});

testInTurn('one that never ends is cut off after two seconds of processor time, and the next is tried', async () => {
  const verdicts = await tried(
    ['endless', 'another'].map((id) => ({ id, by: [] })),
    1,
    new URL('endless.worker.ts', import.meta.url),
  );
  expect(verdicts.map(({ id, finding }) => [id, finding])).toEqual([
    ['endless', 'cut off'],
    ['another', null],
  ]);
  expect(verdicts[0]?.ms).toBeGreaterThan(MAX_MUTANT_MS);
});

testInTurn('a list of survivors that is not what survives is told', async () => {
  const [id = ''] = Object.keys(survivors);
  const caught = main.find((mutant) => !(mutant.id in survivors));
  const verdicts = await tried(
    [
      { id, by: ['paths'] },
      { id: caught?.id ?? '', by: killerNames },
    ],
    1,
  );
  expect(disagreements(verdicts, { [caught?.id ?? '']: 'so it is said', elsewhere: 'no' })).toEqual([
    'listed, but no mutant: elsewhere',
    `lives, and not listed: ${id}`,
    expect.stringMatching(/^caught by \w+ \(.+\), but listed: /),
  ]);
});
