import type { EventOf } from '../../../../machines/events.ts';
import { baseTests } from '../../../evidence/base-tests.ts';
import { CANNOT_CHECK, cannotRun } from '../../../evidence/cannot-run.ts';
import { inProof, type LegsSubject } from './prepared-legs.ts';
import { type CheckedHow, passes, ranTree } from './ran-tree.ts';

type Baseline = EventOf<'baseline.taken'>['payload'];

const MAX_LINE_CHARACTERS = 300;

/** All checks on the tree that a run begins with. Null: told to stop. Throws a `GitError`. */
export function takenBaseline(subject: LegsSubject, how: CheckedHow): Promise<Baseline | null> {
  return inProof(subject, how, async (legs) => {
    const ran = await ranTree('start', subject.base, legs, how);
    if (ran === null) return null;
    const { levels, tests } = ran;
    const lost = levels.flatMap(({ level, checks }) =>
      checks.filter(cannotRun).map(({ name, output }) => `${level}/${name}: ${lastLine(output)}`),
    );
    const fault = lost.length === 0 ? {} : { fault: { code: CANNOT_CHECK, message: cannotCheck(lost) } };
    return { passed: passes(levels), workspace: subject.base, levels, tests: baseTests(tests), ...fault };
  });
}

const cannotCheck = (checks: readonly string[]): string =>
  `what a check runs is not there, before anything is changed: ${checks.join('; ')}. Checks run in a clean checkout, ` +
  'without files that git ignores, but for installed dependencies, and without the home. Mend the check, or let the ' +
  'checks run in the folder itself, with --check-in workspace';

const lastLine = (output: string): string =>
  (output.trimEnd().split('\n').at(-1) ?? '').slice(0, MAX_LINE_CHARACTERS).toWellFormed();
