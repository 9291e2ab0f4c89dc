const GAP = '…';

/** The start of a text, at most `maxChars` long. No character is split: half a surrogate pair could not be logged. */
export function head(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return text.slice(0, maxChars - GAP.length).replace(/[\uD800-\uDBFF]$/, '') + GAP;
}

/** The start and the end of a text, together at most `maxChars` long. */
export function excerpt(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const start = Math.ceil(maxChars / 2);
  return head(text, start) + tail(text, maxChars - start + GAP.length).slice(GAP.length);
}

/** The end of a text, at most `maxChars` long: where a command says what went wrong. */
export function tail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return GAP + text.slice(text.length - maxChars + GAP.length).replace(/^[\uDC00-\uDFFF]/, '');
}
