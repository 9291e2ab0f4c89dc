import type fc from 'fast-check';
import { type RandomRun, randomRuns } from '../../src/testing/choices.ts';
import { type RandomWalk, randomWalk } from '../../src/testing/random-walk.ts';
import type { Loop } from './facts.ts';
import { entryOf, environments } from './environments.ts';

/** Runs of a loop drawn at random. */
export const randomRunsOf = (loop: Loop): fc.Arbitrary<RandomRun> => randomRuns(environments[loop]);

export function walkOf(loop: Loop, { opening, choices }: Pick<RandomRun, 'opening' | 'choices'>): RandomWalk {
  const opened = environments[loop].openings[opening];
  if (!opened) throw new Error(`no opening ${opening}`);
  return randomWalk(entryOf(loop), environments[loop], opened, choices);
}
