import type { Json } from '../../../log/envelope.ts';

/** A call as a model wrote it in its text. */
export interface WrittenCall {
  readonly tool: string;
  readonly arguments: { readonly [name: string]: Json };
  /** Each argument is a text, whatever its type: the format has no other way to write it. */
  readonly isTextual?: true;
}

/** A way in which models of some families write calls as text. */
export interface WrittenFormat {
  /** The families that write so, in the name of a model without its provider. */
  readonly families: RegExp;
  /** Where a block may begin. */
  readonly opening: RegExp;
  /** Ends a block, where the model has not left it out. */
  readonly closing: string;
  /**
   * `token`: the opening is a token that no ordinary text has. `tag`: it counts at the beginning of a line. `none`:
   * only a whole answer that can be read is a block.
   */
  readonly mark: 'token' | 'tag' | 'none';
  /** The calls of a text that is nothing but blocks. Null: it is anything else. */
  readonly read: (block: string) => readonly WrittenCall[] | null;
}

/** A part of a text between two marks, and the name in its opening mark. */
export interface Segment {
  readonly name: string;
  readonly body: string;
}

/**
 * Splits a text that is nothing but segments. The last one may lack its closing mark. Null: something else is between
 * them. `opening` is sticky, and its group is the name.
 */
export function segmentsOf(text: string, opening: RegExp, closing: string): readonly Segment[] | null {
  const segments: Segment[] = [];
  for (let at = afterBlanks(text, 0); at < text.length;) {
    opening.lastIndex = at;
    const open = opening.exec(text);
    if (!open) return null;
    const from = opening.lastIndex;
    const end = text.indexOf(closing, from);
    segments.push({ name: open[1] ?? '', body: text.slice(from, end === -1 ? undefined : end) });
    at = end === -1 ? text.length : afterBlanks(text, end + closing.length);
  }
  return segments.length === 0 ? null : segments;
}

/** What is read of each item. Null, and nothing more is read, where one cannot be. */
export function allOf<Item, Value>(
  items: readonly Item[],
  read: (item: Item) => Value | null,
): readonly Value[] | null {
  const values: Value[] = [];
  for (const item of items) {
    const value = read(item);
    if (value === null) return null;
    values.push(value);
  }
  return values;
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}
