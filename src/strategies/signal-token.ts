/** A signal next to these characters is a piece of something else, such as a path, a variable or a longer word. */
const BEFORE = String.raw`(?<![\p{L}\p{N}_\-/\\.$#@=<~])`;
const AFTER = String.raw`(?![\p{L}\p{N}_\-/\\$=(~]|\.[\p{L}\p{N}])`;

/** The mark of a list item, of a finished one or of a heading. */
export const MARK = String.raw`\s*(?:[-*+]\s+)?(?:\[[xX]\]\s+)?(?:#{1,6}\s+)?`;
/** Within a class of characters. */
export const EMOJI = String.raw`\p{Extended_Pictographic}\uFE0F\u200D\u2713`;
const LEFT = '*_`"\'“„‘«»「『(（【<=[-';
const RIGHT = '*_`"\'”“’»«」』)）】>=]-';
const PAIRS: Readonly<Record<string, string>> = Object.fromEntries(
  ['“”', '„“', '‘’', '«»', '»«', '「」', '『』', '()', '（）', '【】', '<>', '[]'].map(([left = '', right = '']) => [
    left,
    right,
  ]),
);
/** They say the opposite of what stands behind them. */
export const DENIES = /[❌🚫⛔⏳⌛❎🔜👎🛑❓❔]/u;
const TAGS = /^<(\w+)>(.*)<\/\1>$/;
const MAX_AROUND_CHARS = 60;

const literally = (signal: string): string => signal.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

const inClass = (signs: string): string => literally(signs).replaceAll('-', String.raw`\-`);

/** A signal as a whole token. */
export const tokenOf = (signal: string): RegExp => new RegExp(BEFORE + literally(signal) + AFTER, 'gu');

/**
 * Whether a line is the signal alone. Around it may be emphasis, brackets, ticks and quotation marks in pairs, emoji,
 * the mark of a list, of a finished item or of a heading, and after it full stops and exclamation marks.
 */
export function isOnly(signal: string, line: string): boolean {
  const trimmed = line.trim();
  if (!trimmed.includes(signal) || trimmed.length > signal.length + MAX_AROUND_CHARS) return false;
  if (DENIES.test(trimmed)) return false;
  const bare = trimmed.replace(TAGS, '$2');
  const pattern = `^${MARK}([${inClass(LEFT)}\\s¡${EMOJI}]*)${literally(signal)}([${inClass(RIGHT)}\\s.!。！${EMOJI}]*)$`;
  const [, left, right] = new RegExp(pattern, 'u').exec(bare) ?? [];
  if (left === undefined || right === undefined) return false;
  const opened = [...left].filter((sign) => LEFT.includes(sign));
  const closed = [...right].filter((sign) => RIGHT.includes(sign)).toReversed();
  return opened.length === closed.length && opened.every((sign, index) => (PAIRS[sign] ?? sign) === closed[index]);
}
