import { withoutQuotes } from './quotes.ts';

/** A signal next to these characters is a piece of something else, such as a path, a variable or a longer word. */
const BEFORE = String.raw`(?<![\p{L}\p{N}_\-/\\.$#@=<~])`;
const AFTER = String.raw`(?![\p{L}\p{N}_\-/\\$=(~]|\.[\p{L}\p{N}])`;

const MARK = String.raw`\s*(?:[-*+]\s+)?(?:\[[xX]\]\s+)?(?:#{1,6}\s+)?`;
const EMOJI = String.raw`\p{Extended_Pictographic}\uFE0F\u200D\u2713`;
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

const FENCE = /^\s*(`{3,}|~{3,})\s*(\w*)\s*$/;
/** Languages of a block that is no source. */
const IS_TEXT = /^(?:text|txt|plain|plaintext|markdown|md)?$/i;
const QUOTED = /^\s*>/;
const INDENTED = /^(?: {4}|\t)/;

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

/**
 * The lines that an answer says: without code and quotations, except those that hold a signal alone. They are left as
 * the bare signal.
 */
export function saidLines(output: string, signals: readonly string[]): string[] {
  const text = output.replace(/\r\n?/g, '\n').replace(/[\u200B\u2060\uFEFF]/g, '');
  return withoutQuotes(unwrapped(text.replace(/\\(?=[_[\]*])/g, ''), signals)).split('\n');
}

function unwrapped(text: string, signals: readonly string[]): string {
  const lines = text.split('\n');
  const left: string[] = [];
  const onlyIn = (block: readonly string[]): string | undefined => {
    const [line, ...more] = block.filter((one) => one.trim() !== '');
    return more.length > 0 ? undefined : signals.find((signal) => isOnly(signal, line ?? ''));
  };
  for (let at = 0; at < lines.length;) {
    const { end, content } = blockAt(lines, at);
    const signal = onlyIn(content);
    if (signal === undefined || INDENTED.test(lines[at] ?? '')) left.push(...lines.slice(at, end));
    else left.push(`${new RegExp(`^${MARK}`).exec(content[0] ?? '')?.[0] ?? ''}${signal}`);
    at = end;
  }
  return left.join('\n');
}

/** A block of code, adjacent quoted lines, or one line. */
function blockAt(lines: readonly string[], at: number): { readonly end: number; readonly content: readonly string[] } {
  const line = lines[at] ?? '';
  const [, fence, language = ''] = FENCE.exec(line) ?? [];
  if (fence !== undefined) {
    const closing = new RegExp(`^\\s*${fence}[\`~]*\\s*$`);
    const end = firstFrom(lines, at + 1, (one) => closing.test(one));
    const content = IS_TEXT.test(language) ? lines.slice(at + 1, end) : [];
    return { end: Math.min(end + 1, lines.length), content };
  }
  if (!QUOTED.test(line)) return { end: at + 1, content: [line] };
  const end = firstFrom(lines, at + 1, (one) => !QUOTED.test(one));
  return { end, content: lines.slice(at, end).map((one) => one.replace(/^[\s>]+/, '')) };
}

/** Where the first such line is, from a place on; behind the last line where there is none. */
function firstFrom(lines: readonly string[], from: number, isSuch: (line: string) => boolean): number {
  let at = from;
  while (at < lines.length && !isSuch(lines[at] ?? '')) at += 1;
  return at;
}
