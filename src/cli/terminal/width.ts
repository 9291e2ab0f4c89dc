import { plain } from '../../text/one-line.ts';

const PLAIN = /^[\x20-\x7E]*$/;
const ESCAPES = /(\p{Cc}\[[\d;]*m)/u;
const NO_WIDTH = /^[\p{M}\p{Cf}\p{Cc}]+$/u;
const HALF_WIDTH = /^[\uFF61-\uFFDC]/u;
/** What East Asian typography gives two columns, and pictures. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]|\uFE0F/u;

const TAB = '  ';
const GAP = '…';

let segmenter: Intl.Segmenter | null = null;

/** Made where a text needs it: a segmenter takes longer to make than many a command takes to run. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** How many columns of a terminal a text takes, colours left out. */
export function widthOf(text: string): number {
  const shown = plain(text);
  if (PLAIN.test(shown)) return shown.length;
  return [...graphemesOf(shown)].reduce((sum, { segment }) => sum + columnsOf(segment), 0);
}

/**
 * A line that takes at most so many columns, colours kept whole.
 *
 * @example
 * fit('漢字 and more', 8); // '漢字 an…'
 */
export function fit(line: string, columns: number): string {
  const text = line.replaceAll('\t', TAB);
  if (widthOf(text) <= columns) return text;
  let left = columns - GAP.length;
  let isCut = false;
  // What follows the cut is dropped, but for the codes that end a colour.
  const kept = text.split(ESCAPES).map((part, index) => {
    if (index % 2 === 1) return part;
    if (isCut) return '';
    let taken = '';
    for (const { segment } of graphemesOf(part)) {
      left -= columnsOf(segment);
      if (left < 0) {
        isCut = true;
        return taken + GAP;
      }
      taken += segment;
    }
    return taken;
  });
  return kept.join('');
}

function columnsOf(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) && !HALF_WIDTH.test(grapheme) ? 2 : 1;
}
