import type { Lacked } from '../evidence/lack-text.ts';
import type { ProofSoFar } from './proof-so-far.ts';
import { lackedHere, type LackedHow, ranOpened } from './lacks-by-opening.ts';
import type { LegsSubject } from './legs-subject.ts';
import { passes, type RanTree } from './check-tree.ts';

/** Checks that take longer are not run again to learn what they lack. */
const MAX_REPEATED_MS = 60_000;
/** The reach of what an agent has written: nothing of the person but the folder that it worked in. */
const IN_THE_FOLDER = { homePaths: [], network: false };

/**
 * Finds what a checkout of the work lacks where a check fails in it, and no test does: an agent may have built it in
 * the folder, where the same check passes. Null: nothing is known to be lacking.
 */
export async function lackedByWork(
  { first, second, legs }: ProofSoFar,
  subject: LegsSubject,
  how: LackedHow,
): Promise<Lacked | null> {
  if (passes(first.levels) || (second && passes(second.levels)) || how.signal.aborted) return null;
  const failing = first.checks.filter(({ passed }) => !passed);
  const tookMs = failing.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const isSilent = failing.every(({ name }) => !legs.plan.reading.has(name) && !namesFailed(first, name));
  if (!isSilent || tookMs > MAX_REPEATED_MS) return null;
  const red = { tree: legs.plan.first, ran: first };
  const opened = await ranOpened(red, subject, legs, how, IN_THE_FOLDER);
  return lackedHere(red, opened, legs, how);
}

const namesFailed = ({ tests }: RanTree, check: string): boolean =>
  tests.get(check)?.tests.some(({ result }) => result === 'failed') ?? false;
