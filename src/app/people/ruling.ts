import type { Approver } from '../../../machines/recorded-proof.ts';
import type { GivenAnswer } from '../../kernel/loop-definition.ts';
import type { Approval } from '../../kernel/loop-description.ts';
import type { Question } from '../../projections/questions.ts';
import { amount } from '../../projections/phrases.ts';
import { accessTo, type AskedPlace } from './question-places.ts';
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
   * The digest of what the person has read, or at least its first 16 characters. Where something else is asked about
   * by now, or the path leads elsewhere, the answer is refused. Absent: what is asked about at this moment is approved;
   * but a path that leads through a symbolic link needs it.
   */
  readonly digest?: string;
  /**
   * The person who lets changed tests and configuration count, and through which door: they were shown the difference
   * of this digest, and have said so themselves. A program passes it only where it is a door of a person's own, such as
   * a page that they have signed in to: `token`, with the name of that token. `form` and `editor` name the user of a
   * program that says so for them: the work stays weak. Never pass what a model has said. Absent: no person is known,
   * and the work is weak.
   */
  readonly by?: Approver;
  /** Allows it for good, in this run and those below it: what `question.remembers` says. */
  readonly remember?: boolean;
}

/**
 * The answer to a request for access, to read outside the workspace or through the walls. The real path is granted,
 * where the person has read it: as the path that was asked for, or beside it, with its digest. A refusal needs no
 * digest: it opens nothing.
 */
export function accessRuling(
  { wanted, real, opens }: AskedPlace,
  { granted, reason, digest }: Grant,
  open: readonly Question[],
): GivenAnswer | RefusedCommand {
  if (granted && real === null)
    return refused('no_such_path', `${wanted} cannot be opened here: nothing is there, or it is out of reach`, open);
  const place = real ?? wanted;
  if (granted && digest === undefined && place !== wanted)
    return refused('leads_elsewhere', `${wanted} leads to ${place}: to allow that, name its digest`, open);
  if (granted && digest !== undefined && !isBeginning(digest, accessTo(place, opens).digest))
    return refused(
      'has_changed',
      wrongDigest(digest, place === wanted ? wanted : `${wanted}, which leads to ${place} now`),
      open,
    );
  const ruling = `${granted ? 'granted' : 'refused'}: ${accessTo(place, opens).allows}`;
  const access = { granted, path: place, ...(opens === undefined ? {} : { opens }) };
  return { answer: withReason(ruling, reason), access };
}

/** The answer to a request for an approval, bound to what is asked about. */
export function approvalRuling(
  { callId, approval, remembers }: Pick<Question, 'callId' | 'remembers'> & { readonly approval: Approval },
  { granted, reason, digest, by, remember = false }: Grant,
  open: readonly Question[],
): GivenAnswer | RefusedCommand {
  if (digest !== undefined && !isBeginning(digest, approval.digest))
    return refused('has_changed', wrongDigest(digest, `what call ${callId} allows now`), open);
  if (remember && !remembers)
    return refused('not_remembered', `what call ${callId} asks for cannot be allowed for good: approve it alone`, open);
  return {
    answer: withReason(granted ? `approved: ${approval.allows}` : 'denied', reason),
    approval: {
      granted,
      digest: approval.digest,
      ...(reason === undefined ? {} : { reason }),
      ...(by ? { by } : {}),
      ...(granted && remember && remembers ? { remembers } : {}),
    },
  };
}

/** The refusal of an approval of something that is no longer asked about. */
export const changed = (callId: string, open: readonly Question[]): RefusedCommand =>
  refused(
    'has_changed',
    `what call ${callId} allows has changed since it was read: read it again, then approve or deny it`,
    open,
  );

/** Nothing is known of what the person has read: the digest may be mistyped, or of what was there before. */
function wrongDigest(digest: string, what: string): string {
  const next = '`loopfold inbox` shows the request again, with its digest';
  if (digest.length < MIN_DIGEST_CHARS)
    return `the digest ${digest} has ${amount(digest.length, 'character')}, not ${MIN_DIGEST_CHARS} or more: ${next}`;
  return `the digest given is not that of ${what}: it was mistyped, or is of what was there before. ${next}`;
}

const isBeginning = (digest: string, whole: string): boolean =>
  digest.length >= MIN_DIGEST_CHARS && whole.startsWith(digest.toLowerCase());

const withReason = (ruling: string, reason: string | undefined): string =>
  reason === undefined ? ruling : `${ruling}; ${reason}`;
