import { createHash } from 'node:crypto';
import { TENTHS, type Tier } from './tier.ts';

/**
 * Files that `npm test` takes once in ten commits: each starts dozens of processes, and what it proves is proven in
 * parts, or on a smaller example, by files that are always taken. No row has its only proof in one of them.
 */
export const FILES_IN_TURN: readonly string[] = [
  'test/package/package.test.ts',
  'test/cli/demo.test.ts',
  'test/cli/large-patch.test.ts',
  'test/cli/read-only-media.test.ts',
  'test/cli/full-disk.test.ts',
  'test/cli/environment-faults.test.ts',
  'test/repository/gates.test.ts',
  'test/simulation/own-loop.test.ts',
  'test/hosts/local/proof/flickering-base.test.ts',
  'test/hosts/local/proof/inherited.test.ts',
  'test/hosts/local/proof/kept-mirror.test.ts',
  'test/hosts/local/proof/lost-tests.test.ts',
];

/**
 * Whether a tier takes what has this name: one of ten names, others with another tenth, or all. Which name goes with
 * which tenth depends on the seed: what takes turns may itself be a set of which a tenth is taken.
 */
export function hasTurn(name: string, { seed, tenth }: Tier): boolean {
  if (tenth === null) return true;
  const place = createHash('sha256').update(name).digest().readUInt32BE() + Math.floor(seed / TENTHS);
  return place % TENTHS === tenth;
}

/** The files whose turn it is not, but for those that are asked for by a part of their paths. */
export const filesAtRest = (tier: Tier, asked: readonly string[]): readonly string[] =>
  FILES_IN_TURN.filter((file) => !hasTurn(file, tier) && !asked.some((word) => file.includes(word)));
