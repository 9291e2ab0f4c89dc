import { labelsIn, signalBehindLabel } from './signal-label.ts';
import { isOnly, MARK } from './signal-token.ts';
import { withoutQuotes } from './quotes.ts';

const FENCE = /^\s*(`{3,}|~{3,})\s*(\w*)\s*$/;
/** Languages of a block that is no source. */
const IS_TEXT = /^(?:text|txt|plain|plaintext|markdown|md)?$/i;
const QUOTED = /^\s*>/;
const INDENTED = /^(?: {4}|\t)/;

/**
 * The lines that an answer says: without code and quotations, except those that hold a signal alone. They are left as
 * the bare signal, and so is a line that gives it behind a label.
 */
export function saidLines(output: string, signals: readonly string[]): string[] {
  const text = output.replace(/\r\n?/g, '\n').replace(/[\u200B\u2060\uFEFF]/g, '');
  return withoutQuotes(unwrapped(text.replace(/\\(?=[_[\]*])/g, ''), signals)).split('\n');
}

function unwrapped(text: string, signals: readonly string[]): string {
  const lines = text.split('\n');
  const labels = labelsIn(lines);
  const left: string[] = [];
  const onlyIn = (block: readonly string[]): string | undefined => {
    const [line, ...more] = block.filter((one) => one.trim() !== '');
    return more.length > 0 ? undefined : signals.find((signal) => isOnly(signal, line ?? ''));
  };
  for (let at = 0; at < lines.length;) {
    const { end, content } = blockAt(lines, at);
    const isCode = INDENTED.test(lines[at] ?? '');
    const signal = isCode ? undefined : onlyIn(content);
    const labelled = isCode || content[0] !== lines[at] ? undefined : signalBehindLabel({ lines, at, labels }, signals);
    if (signal === undefined) left.push(...(labelled === undefined ? lines.slice(at, end) : [labelled]));
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
