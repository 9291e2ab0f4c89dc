import type { BaseTests } from '../../machines/recorded-proof.ts';
import type { Check, CheckSteps } from '../../machines/settings.ts';
import { withSteps } from '../evidence/steps/with-steps.ts';
import type { LegsSubject } from './legs-subject.ts';
import type { CheckedHow } from './check-tree.ts';

/** The record of checks before any work. */
interface Recorded {
  readonly steps?: readonly CheckSteps[] | undefined;
  readonly tests: readonly BaseTests[];
}

/** The subject of a proof, and its checks as they run. */
export interface SteppedProof extends Required<Pick<CheckedHow, 'checks' | 'stepped'>> {
  readonly subject: LegsSubject;
}

/** Checks step by step, as they ran before any work. A run that has recorded no steps goes by its checks whole. */
export function steppedProof(subject: LegsSubject, whole: readonly Check[], recorded: Recorded | null): SteppedProof {
  const { checks, cut } = withSteps(whole, recorded?.steps, recorded?.tests ?? []);
  const named = new Map([...subject.checks, ...checks].map((check) => [check.name, check]));
  return {
    // Also whole, so that what rests on files of the start is the same.
    subject: { ...subject, checks: [...named.values()] },
    checks,
    stepped: cut.length === 0 ? undefined : { folder: folderOf(subject), cut },
  };
}

/** The folder that checks run in, from the top. */
export const folderOf = ({ origin }: Pick<LegsSubject, 'origin'>): string => origin.prefix.replace(/\/$/, '');
