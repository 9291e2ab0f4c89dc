import { withoutEscapes } from './one-line.ts';

/** A longer line is given on before its end. */
const MAX_HELD_CHARS = 16_384;
// oxlint-disable-next-line no-control-regex
const ANY_CONTROL = /[\0-\x08\x0B-\x1F\x7F-\x9F]/;
const OTHER_CONTROL = new RegExp(ANY_CONTROL.source, 'g');

/**
 * Text of a command as it arrives, without escape codes and control characters. What a line prints over itself, as
 * progress does, is left out: the line is as it ends. The end of a line is one newline.
 *
 * @example
 * const stream = new PlainStream();
 * stream.add('10 %\r20 %\r\n\u001B[31mred\u001B[0m') + stream.end(); // '20 %\nred'
 */
export class PlainStream {
  #held = '';

  /** Takes a piece, and returns the lines that are whole with it. */
  add(piece: string): string {
    const text = this.#held + piece;
    const end = text.lastIndexOf('\n') + 1;
    const isLong = text.length - end > MAX_HELD_CHARS;
    this.#held = isLong ? '' : text.slice(end);
    return withoutControl(isLong ? text : text.slice(0, end));
  }

  /** Returns the last line, where no newline ends it. */
  end(): string {
    const last = withoutControl(this.#held);
    this.#held = '';
    return last;
  }
}

/** Returns a text without escape codes and control characters, as its lines end. */
export function withoutControl(text: string): string {
  if (!ANY_CONTROL.test(text)) return text;
  const stripped = withoutEscapes(text);
  return (stripped.includes('\r') ? asPrinted(stripped) : stripped).replace(OTHER_CONTROL, '');
}

const asPrinted = (text: string): string =>
  text
    .replace(/(?<!\r)\r+(?=\n|$)/g, '')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
