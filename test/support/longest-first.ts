import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take longest, the longest first. Vitest knows what each file took where it has run them before,
 * and goes by their sizes elsewhere: in a clone a long one that begins late would keep one core waiting.
 */
export const LONGEST: readonly string[] = [
  'test/package/package.test.ts',
  'test/evidence/attacks.test.ts',
  'test/cli/demo.test.ts',
  'test/acceptance/improvement.test.ts',
  'test/docs/generated.test.ts',
  'test/loops/improvement/evaluate-findings.test.ts',
  'test/loops/improvement/evaluate-tiers.test.ts',
  'test/evidence/honest.test.ts',
  'test/simulation/improvement-killed.test.ts',
  'test/simulation/killed-at-random.test.ts',
  'test/hosts/local/proof/inherited.test.ts',
  'test/hosts/local/proof/held-out.test.ts',
  'test/loops/improvement/integration-killed.test.ts',
  'test/hosts/local/proof/disputed.test.ts',
  'test/cli/places-in-the-way.test.ts',
  'test/cli/inside-run.test.ts',
  'test/cli/streams.test.ts',
  'test/cli/check.test.ts',
  'test/cli/check-in.test.ts',
  'test/cli/own-loops.test.ts',
  'test/docs/examples.test.ts',
  'test/hosts/local/kept/run-cache.test.ts',
  'test/repository/layers.test.ts',
  'test/repository/stately-edits.test.ts',
  'test/mutation/mutation.test.ts',
  // Half of these is waiting for leases and locks.
  'test/cli/environment-faults.test.ts',
  'test/cli/takeover.test.ts',
  'test/simulation/ralph.test.ts',
  'test/simulation/crash.test.ts',
  'test/acceptance/ralph.test.ts',
  'test/simulation/simulated.test.ts',
  'test/simulation/planted.test.ts',
  'test/termination/exhaustive.test.ts',
  'test/testing/invariants.turn.test.ts',
  'test/testing/invariants.iteration.test.ts',
  'test/charts/drawing/layout.test.ts',
  'docs/examples/own-loop/reviewed.test.ts',
  'test/runtime/steps.test.ts',
  'test/testing/proofs.test.ts',
];

type Filed = Pick<TestSpecification, 'moduleId'> & {
  readonly project: { readonly name: string; readonly config: { readonly root: string } };
};

/** The longest files of each project first. Projects stay apart: each has workers of its own. */
export function longestFirst<File extends Filed>(files: readonly File[]): File[] {
  const rank = ({ moduleId, project }: File): number => {
    const at = LONGEST.indexOf(relative(project.config.root, moduleId));
    return at < 0 ? LONGEST.length : at;
  };
  const projects = Map.groupBy(files, ({ project }) => project.name);
  return [...projects.values()].flatMap((all) => all.toSorted((one, other) => rank(one) - rank(other)));
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer, no array
    return longestFirst(await super.sort(files));
  }
}
