const ENDS_SENTENCE = /[.!?]$/;
const ENDS_PART = /[.\s]/;

/**
 * A text as a sentence: with a full stop where it has no end of its own. Messages of faults have one, reasons do not.
 *
 * @example
 * sentence('exit status 1'); // 'exit status 1.'
 */
export function sentence(text: string): string {
  const trimmed = text.trimEnd();
  return ENDS_SENTENCE.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** A sentence as a part of another one: without the full stop and the white space at its end. */
export function withoutStop(text: string): string {
  let end = text.length;
  while (end > 0 && ENDS_PART.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
