import type { AskedQuestion } from '../kernel/loop-description.ts';

// What a person's answer to a request for approval leaves, whichever loop has asked.

/** Their ruling in words, with their reason where they gave one. */
export const rulingText = (isGranted: boolean, reason: string | null): string =>
  `${isGranted ? 'approved' : 'denied'}${reason === null ? '' : `: ${reason}`}`;

/** The same questions, none of which is open any more. `answer`: null where no person has answered. */
export const closed = (asked: readonly AskedQuestion[], answer: string | null): AskedQuestion[] =>
  asked.map((one) => (one.isOpen ? { ...one, isOpen: false, answer } : one));
