import { describe, expect, test } from 'vitest';
import { transitionsOf } from '../../src/charts/transitions.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { cyclesOf, endlessPlaces } from '../../src/termination/chart-cycles.ts';
import { rankingOf } from '../../src/termination/bound.ts';

describe.each(shippedLoops.map((loop) => ({ ...loop, falls: rankingOf(loop).falls })))('$id', ({ machine, falls }) => {
  test('on every cycle of the chart the rank falls, or only external input repeats it', () => {
    expect(endlessPlaces(machine, falls)).toEqual([]);
  });

  test('nothing is said to fall where nothing is written, or where no cycle closes', () => {
    const ids = transitionsOf(machine).map(({ id }) => id);
    expect(Object.keys(falls).filter((id) => !ids.includes(id))).toEqual([]);
    const told = cyclesOf(machine, falls).flatMap(({ transitions }) => transitions);
    expect(told.toSorted()).toEqual(Object.keys(falls).toSorted());
  });

  test.each(Object.keys(falls))('without what falls on %s the chart could go round for ever', (id) => {
    const { [id]: _, ...others } = falls;
    expect(endlessPlaces(machine, others)).not.toEqual([]);
  });
});
