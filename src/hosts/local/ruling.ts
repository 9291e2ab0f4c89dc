import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { GivenAnswer } from '../../kernel/loop-definition.ts';
import type { Approval } from '../../kernel/loop-description.ts';
import type { Question } from '../../projections/questions.ts';
import { refused, type RefusedCommand } from './people-result.ts';

/**
 * The shortest beginning of a digest that names what was approved. Shorter ones could be forged: other content with the
 * same beginning is found by trying.
 */
export const MIN_DIGEST_CHARS = 16;

export interface Grant {
  /** Which request; needed where several requests are open. `RUN/CALL`, where two runs ask under one id. */
  readonly call?: string;
  readonly granted: boolean;
  readonly reason?: string;
  /**
   * Of an approval: the digest of what the person has read, or at least its first 16 characters. Where something else
   * is asked about by now, the approval is refused. Absent: what is asked about at this moment is approved.
   */
  readonly digest?: string;
}

type Ruling = Pick<Grant, 'granted' | 'reason'>;

/** The answer to a request to read outside the workspace: the real path is granted, as it is now. */
export async function accessRuling(
  path: string,
  { granted, reason }: Ruling,
  open: readonly Question[],
): Promise<GivenAnswer | RefusedCommand> {
  const wanted = resolve(path);
  const real = await realpath(wanted).catch(() => null);
  if (granted && real === null)
    return refused('no_such_path', `${wanted} cannot be read here: nothing is there, or it is out of reach`, open);
  const place = real ?? wanted;
  const ruling = granted
    ? `granted: ${place} and everything below it may be read`
    : `refused: ${place} may not be read`;
  return { answer: withReason(ruling, reason), access: { granted, path: place } };
}

/** The answer to a request for an approval, bound to what is asked about. */
export function approvalRuling(
  { callId, approval }: Pick<Question, 'callId'> & { readonly approval: Approval },
  { granted, reason, digest }: Grant,
  open: readonly Question[],
): GivenAnswer | RefusedCommand {
  if (digest !== undefined && !isBeginning(digest, approval.digest)) return changed(callId, open);
  return {
    answer: withReason(granted ? `approved: ${approval.allows}` : 'denied', reason),
    approval: { granted, digest: approval.digest, ...(reason === undefined ? {} : { reason }) },
  };
}

/** The refusal of an approval of something that is no longer asked about. */
export const changed = (callId: string, open: readonly Question[]): RefusedCommand =>
  refused(
    'has_changed',
    `what call ${callId} allows has changed since it was read: read it again, then approve or deny it`,
    open,
  );

const isBeginning = (digest: string, whole: string): boolean =>
  digest.length >= MIN_DIGEST_CHARS && whole.startsWith(digest.toLowerCase());

const withReason = (ruling: string, reason: string | undefined): string =>
  reason === undefined ? ruling : `${ruling}; ${reason}`;
