import { basedOn } from '../../../evidence/base-tests.ts';
import { knownFlickering } from '../../../evidence/flicker-tests.ts';
import type { LegsSubject } from '../../../verification/legs-subject.ts';
import { inProof } from '../../../verification/prepare-legs.ts';
import { withAllowed } from '../../../verification/run-both.ts';
import type { CheckedHow } from '../../../verification/check-tree.ts';
import type { Baseline } from '../../../verification/work-proof.ts';
import type { Tier } from './candidate-tier.ts';
import { errorsIn, foundInLegs } from './check-head.ts';
import { steadyLeg } from './steady-leg.ts';

interface StartHow extends CheckedHow {
  /** How the checks went on what the run began with, and the hash of that tree. */
  readonly start: Baseline;
}

/**
 * Where earlier candidates changed or added tests or configuration: the checks with those as they were when the run
 * began. Two candidates cannot forge what one cannot, the first by weakening a test, or by a new one that replaces what
 * the others test, and the second by what the test was for. `subject.work` is the candidate with the grounds of the
 * head. Undefined: none was changed. Null: told to stop. Throws a `GitError`.
 */
export async function startGroundsTier(subject: LegsSubject, how: StartHow): Promise<Tier | null | undefined> {
  return inProof(subject, how, async (prepared) => {
    if (prepared.plan.changes.length === 0) return undefined;
    const allowed = await withAllowed(prepared);
    const legs = allowed?.legs ?? prepared;
    const tests = basedOn(how.start.tests);
    const head = { levels: how.start.levels, tests: allowed?.allowed.without(tests) ?? tests };
    const leg = await steadyLeg('base', legs.plan.first, legs, {
      ...how,
      head,
      flickering: knownFlickering(how.start),
      findingsOf: errorsIn(foundInLegs(legs, how.checks)),
    });
    if (leg === null) return null;
    const { lost, flickered } = leg;
    const detail = lost.length > 0 ? lost.map(({ text }) => text).join('\n') : 'nothing is lost';
    return {
      tier: 'tests of the start',
      kind: 'check',
      passed: lost.length === 0,
      detail,
      ...(flickered.length > 0 ? { flickered: flickered.map(({ text }) => text) } : {}),
    };
  });
}
