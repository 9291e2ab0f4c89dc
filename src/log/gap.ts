/** What stands in a text that was cut, between its head and its tail. */
export const gapNote = (bytes: number): string => `\n[… ${bytes} bytes left out …]\n`;

const GAP = /(\n\[… \d+ bytes left out …\]\n)/;

/** Whether a text was cut. */
export const hasGap = (text: string): boolean => GAP.test(text);

/** A text that was cut, with every edge at a gap changed; any other text as it is. */
export function atGaps(
  text: string,
  change: { readonly end: (head: string) => string; readonly start: (tail: string) => string },
): string {
  const parts = text.split(GAP);
  const last = parts.length - 1;
  const changed = parts.map((part, index) => {
    if (index % 2 === 1) return part;
    const ended = index < last ? change.end(part) : part;
    return index > 0 ? change.start(ended) : ended;
  });
  return changed.join('');
}
