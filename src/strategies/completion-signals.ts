import { isOrdinary, signalsAlone } from './signal-line.ts';
import { isSaid } from './signal-sentence.ts';
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
function saidLines(output: string, signals: readonly string[]): string[] {
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

/** The default completion signals. */
export const COMPLETION_SIGNALS: readonly string[] = ['TASK_COMPLETE', 'TASK_COMPLETED', 'DONE', '[COMPLETE]'];

/**
 * The signal with which an answer calls the work complete; null where it gives none.
 *
 * A signal is a whole token, written as it is configured. An ordinary word such as `DONE` counts only alone on the last
 * line: sentences about a part of the work contain it. Another signal counts alone on any line, as a sentence, or where
 * a sentence says that the whole is complete. In ticks, in a fence or quoted it counts as a whole line. A heading above
 * the line, or a label before the signal that is about the whole (`Status: DONE`), leaves it alone.
 *
 * It does not count inside a longer word or a path, in an instruction or a condition ("say TASK_COMPLETE when
 * finished"), where it is denied, promised, asked for or taken back, in a list of words, or for a step. In doubt there
 * is no signal: a missed one costs an iteration, an invented one ends the loop.
 *
 * @example
 * completionSignal('All tests pass. TASK_COMPLETE'); // 'TASK_COMPLETE'
 * completionSignal('No remaining issues - DONE'); // 'DONE'
 * completionSignal('The parser is DONE. The lexer fails 3 tests.'); // null
 */
export function completionSignal(output: string, signals: readonly string[] = COMPLETION_SIGNALS): string | null {
  const said = signals.filter((signal) => output.replace(/\\(?=[_[\]*])/g, '').includes(signal));
  if (said.length === 0) return null;
  const lines = saidLines(output, said);
  return said.find((signal) => gives(signal, lines)) ?? null;
}

function gives(signal: string, lines: readonly string[]): boolean {
  const alone = signalsAlone(lines, signal);
  if ([...alone.values()].includes(true)) return true;
  return (
    !isOrdinary(signal) &&
    isSaid(
      signal,
      lines.map((line, index) => (alone.has(index) ? '' : line)),
    )
  );
}
