import { plain } from './one-line.ts';

/** Scripts that join letters: there a joiner, or what keeps letters apart, changes how a word looks. */
const JOINING = [
  ['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese'],
]
  .flat()
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');
const PICTURE = String.raw`\p{Extended_Pictographic}`;
/** The end of a picture: it may have a colour of skin, and the sign that it is drawn in colour. */
const PICTURE_END = String.raw`(?:${PICTURE}\uFE0F?|\p{Emoji_Modifier})`;

/** Soft hyphens, blanks without width, invisible operators and fillers, tags, and selectors of a glyph. */
const INVISIBLE = [
  String.raw`[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u200B\u2060-\u2065\u206A-\u206F\u3164\uFEFF\uFFA0]`,
  String.raw`(?<!\p{Script=Mongolian})[\u180B-\u180F]`,
  String.raw`[\u{E0000}-\u{E0FFF}]`,
  String.raw`(?<![${JOINING}])\u200C|\u200C(?![${JOINING}])`,
  String.raw`(?<!${PICTURE_END}|[${JOINING}])\u200D|\u200D(?!${PICTURE}|[${JOINING}])`,
  String.raw`(?<!${PICTURE}|[#*0-9](?=\uFE0F\u20E3))[\uFE0E\uFE0F]|[\uFE00-\uFE0D]`,
];
const HIDDEN = new RegExp(INVISIBLE.join('|'), 'gu');

/**
 * A text as a reader sees it: plain, and without characters that are not seen, in which other text can be hidden. What
 * joins or parts letters stays between letters of scripts that join them, as in Persian and Hindi, and what makes a
 * picture stays within pictures.
 *
 * @example
 * visible('pass\u00ADword \u{E0041}👩\u200D🚀'); // 'password 👩‍🚀'
 */
export const visible = (text: string): string => plain(text).replace(HIDDEN, '');
