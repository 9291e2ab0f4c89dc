import type fc from 'fast-check';
import { type Chance, chances } from '../../src/testing/choices.ts';
import { type Wandering, wander } from '../../src/testing/wander.ts';
import type { Loop } from './facts.ts';
import { entryOf, worlds } from './worlds.ts';

/** Runs of a loop as chance would have them. */
export const chancesOf = (loop: Loop): fc.Arbitrary<Chance> => chances(worlds[loop]);

export function wandered(loop: Loop, { opening, choices }: Pick<Chance, 'opening' | 'choices'>): Wandering {
  const opened = worlds[loop].openings[opening];
  if (!opened) throw new Error(`no opening ${opening}`);
  return wander(entryOf(loop), worlds[loop], opened, choices);
}
