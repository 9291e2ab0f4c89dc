import { seed } from '../support/seed.ts';
import { takesAll, tenthOf } from '../support/tenth.ts';
import type { Project } from './story.ts';
import { chosen } from './told-run.ts';

interface Told {
  readonly name: string;
  readonly kind?: string;
  readonly project: Project;
}

/** Of stories whose runner takes a second to start, which a proof does up to eight times: one in so many. */
const ONE_IN = 3;

/** Its runner is installed, or comes with another language. */
const isSlow = ({ project: { needs, packages = [] } }: Told): boolean => needs !== undefined || packages.length > 0;

/**
 * The stories that these tests take: those that were asked for, or a tenth, with fewer of those that are slow. Which
 * ones are left out of them depends on the seed; a full run has them all.
 */
export function takenOf<Story extends Told>(all: readonly Story[]): readonly Story[] {
  const asked = chosen(all);
  if (asked !== null || takesAll) return asked ?? all;
  const slow = tenthOf(all.filter(isSlow)).filter((_story, index) => (index + seed) % ONE_IN === 0);
  return [...tenthOf(all.filter((story) => !isSlow(story))), ...slow];
}
