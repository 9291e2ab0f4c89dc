import type { Edit } from './edits.ts';

/** An edit with the number that its code is switched on by. */
export interface Numbered extends Edit {
  readonly number: number;
}

/**
 * A source with all its edits in it, of which the one that `$edited` holds for is taken: so it is compiled and loaded
 * once for all of them. Lines stay where they are.
 *
 * @example
 * switched('a < b;', edits); // '…($edited(7) ? ((a) <= (b)) : (a < b));'
 */
export function switched(source: string, edits: readonly Numbered[]): string {
  const ordered = edits.toSorted((one, other) => one.start - other.start || other.end - one.end);
  return `const $edited = globalThis.$edited; ${within(source, 0, source.length, ordered)}`;
}

function within(source: string, from: number, to: number, edits: readonly Numbered[]): string {
  let code = '';
  let at = from;
  for (let index = 0; index < edits.length;) {
    const { start = to, end = to } = edits[index] ?? {};
    const here = edits.filter((edit) => edit.start === start && edit.end === end && edits.indexOf(edit) >= index);
    const inside = edits.slice(index + here.length).filter((edit) => edit.end <= end);
    code += source.slice(at, start) + either(here, within(source, start, end, inside));
    at = end;
    index += here.length + inside.length;
  }
  return code + source.slice(at, to);
}

function either(edits: readonly Numbered[], original: string): string {
  const [first] = edits;
  if (first?.text === null) return `{ if (!$edited(${first.number})) { ${original} } }`;
  return `(${edits.map(({ number, text }) => `$edited(${number}) ? (${text}) : `).join('')}(${original}))`;
}
