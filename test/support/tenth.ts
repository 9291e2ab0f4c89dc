import { TENTHS, tierOf } from './tier.ts';

const tier = tierOf(process.env);

/** Whether these tests take the whole of every exhaustive set. */
export const takesAll = tier.tenth === null;

/** Neighbours are often two of a kind: the place within ten shifts by this much from one ten to the next. */
const SHIFT = 7;

/**
 * What these tests take of an exhaustive set: one of every ten in a row, or all. The ten tenths together are the set.
 * Of a set with fewer than ten members there is always one.
 */
export function tenthOf<Item>(all: readonly Item[], tenth = tier.tenth): readonly Item[] {
  if (tenth === null) return all;
  const taken = all.filter((_item, index) => (index + SHIFT * Math.floor(index / TENTHS)) % TENTHS === tenth);
  const [first] = taken;
  return first === undefined ? all.slice(tenth % all.length).slice(0, 1) : taken;
}

/** How many cases these tests draw where all of them are so many. */
export const tenthOfMany = (all: number, tenth = tier.tenth): number =>
  tenth === null ? all : Math.ceil(all / TENTHS);
