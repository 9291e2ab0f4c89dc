import { type Dispute, MAX_DISPUTED_CHARACTERS } from '../../machines/recorded-proof.ts';
import type { CheckedTests, ReportedTests } from '../evidence/tests-of-checks.ts';
import { disputeOf, isAnswered, type PastDisputes } from '../evidence/dispute.ts';
import type { LegsSubject } from './legs-subject.ts';
import type { PreparedLegs } from './prepare-legs.ts';
import { SECOND_LEG } from './proof-places.ts';
import { type CheckedHow, passes, type RanTree, ranTree } from './check-tree.ts';
import { createHash } from 'node:crypto';
import type { GitCall } from '../git/process/git.ts';
import { treePatch } from '../git/tree-change.ts';

export interface DisputeHow {
  readonly disputes: PastDisputes;
  /** The run can wait for a person who decides about changed grounds. */
  readonly canAsk: boolean;
}

/** The checks on the work as it is, where that is another tree than the first leg's. */
export async function ranSecond(
  subject: LegsSubject,
  legs: PreparedLegs,
  how: CheckedHow,
): Promise<RanTree | null | undefined> {
  return legs.plan.first === subject.work ? undefined : ranTree(SECOND_LEG, subject.work, legs, how);
}

/** The dispute about work that fails with the grounds of its base, and passes with its own. */
export async function disputeAbout(
  { first, second }: { readonly first: RanTree; readonly second: RanTree | undefined },
  { start, tests }: { readonly start: ReportedTests; readonly tests: readonly CheckedTests[] },
  subject: LegsSubject,
  { plan, call }: PreparedLegs,
  { disputes, canAsk }: DisputeHow,
): Promise<Dispute | null> {
  const isDisputed = second && !passes(first.levels) && passes(second.levels) && isAnswered(start, tests, second);
  if (!isDisputed) return null;
  return disputeOf({ patch: await groundPatch(plan.first, subject.work, call), tests, past: disputes, canAsk });
}

/** What the work changed of its grounds. */
interface GroundPatch {
  /** As people read it, cut. */
  readonly text: string;
  /** SHA-256 of all of it. */
  readonly digest: string;
}

/** The difference of the trees of both legs, which differ in changed grounds alone. Throws a `GitError`. */
async function groundPatch(first: string, work: string, call: GitCall): Promise<GroundPatch> {
  const hash = createHash('sha256');
  for await (const part of treePatch({ from: first, to: work, leaveOut: [] }, call)) hash.update(part);
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of treePatch({ from: first, to: work, leaveOut: [] }, call, true, true)) {
    if (text.length < MAX_DISPUTED_CHARACTERS) text += decoder.decode(part, { stream: true });
  }
  return { text: text.slice(0, MAX_DISPUTED_CHARACTERS).toWellFormed(), digest: hash.digest('hex') };
}
