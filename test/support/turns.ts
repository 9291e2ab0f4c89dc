import { createHash } from 'node:crypto';
import { TENTHS, type Tier } from './tier.ts';

/**
 * Files that slices take by turns, and a full run always: each starts dozens of processes, and what it proves is proven
 * in parts, or on a smaller example, by files of `npm test`. No row has its only proof in one of them.
 */
export const FILES_IN_TURN: readonly string[] = [
  'test/package/package.test.ts',
  'docs/examples/own-loop/reviewed.host.test.ts',
  'test/acceptance/people.test.ts',
  'test/acceptance/real-work.test.ts',
  'test/actors/verify/reported-tests.test.ts',
  'test/cli/doors/killed-servers.test.ts',
  'test/git/large-files.test.ts',
  'test/cli/demo.test.ts',
  'test/cli/edited-task.test.ts',
  'test/cli/environment-faults.test.ts',
  'test/cli/full-disk.test.ts',
  'test/cli/large-patch.test.ts',
  'test/cli/grounds-left.test.ts',
  'test/cli/migrate.test.ts',
  'test/cli/own-loop-commands.test.ts',
  'test/cli/read-only-media.test.ts',
  'test/cli/redecide-evidence.test.ts',
  'test/cli/unverified.test.ts',
  'test/hosts/local/captures-of-children.test.ts',
  'test/hosts/local/failing-calls.test.ts',
  'test/loops/improvement/cut-experiment.test.ts',
  'test/loops/improvement/evaluate-findings.test.ts',
  'test/loops/improvement/integration-killed.test.ts',
  'test/hosts/local/proof/disputed.test.ts',
  'test/hosts/local/proof/flickering-base.test.ts',
  'test/hosts/local/proof/honest-changes.test.ts',
  'test/hosts/local/proof/inherited.test.ts',
  'test/hosts/local/proof/kept-mirror.test.ts',
  'test/hosts/local/proof/lacking.test.ts',
  'test/hosts/local/proof/lost-tests.test.ts',
  'test/hosts/local/proof/repeated-verdicts.test.ts',
  'test/repository/gates.test.ts',
  'test/repository/stately-edits.test.ts',
  'test/simulation/own-loop.test.ts',
  'test/studio/every-screen.test.ts',
  'test/studio/long-list.test.ts',
  'test/studio/own-process.test.ts',
];

/**
 * Whether a tier takes what has this name: one of ten names, others with another tenth, or all. Which name goes with
 * which tenth depends on the seed: what takes turns may itself be a set of which a tenth is taken.
 */
export function hasTurn(name: string, { seed, tenth, isFixed }: Tier): boolean {
  if (isFixed) return false;
  if (tenth === null) return true;
  const place = createHash('sha256').update(name).digest().readUInt32BE() + Math.floor(seed / TENTHS);
  return place % TENTHS === tenth;
}

/** The files whose turn it is not, but for those that are asked for by a part of their paths. */
export const filesAtRest = (tier: Tier, asked: readonly string[]): readonly string[] =>
  FILES_IN_TURN.filter((file) => !hasTurn(file, tier) && !asked.some((word) => file.includes(word)));
