import type { Approver } from '../../machines/recorded-proof.ts';
import { approverText } from './approver-text.ts';
import type { RunSummary } from './run-summary.ts';

const DIGEST_CHARACTERS = 16;

/** The ruling by which changed tests count in a success: who, when, and about which difference. */
export interface Approval {
  readonly approver: Approver;
  /** RFC 3339. */
  readonly at: string;
  readonly digest: string;
}

/** The ruling that the newest checks of a run rest on. Null: on none, or no person is known to have ruled. */
export function approvalOf({ verification, ruled }: Pick<RunSummary, 'verification' | 'ruled'>): Approval | null {
  const { is, approver, digest } = verification?.proof?.dispute ?? {};
  if (is !== 'approved' || !approver || digest === undefined || ruled?.digest !== digest) return null;
  return { approver, at: ruled.at, digest };
}

/** Such a ruling in one line. */
export const approvalText = ({ approver, at, digest }: Approval): string =>
  `approved by ${approverText(approver)}, ${at}, difference ${digest.slice(0, DIGEST_CHARACTERS)}`;
