/** The longest front matter, in characters. */
const MAX_FRONT_CHARACTERS = 16_384;

/** A state file in its two parts. Lines count from 1. */
export type StateParts =
  | { readonly kind: 'parts'; readonly yaml: string; readonly closingLine: number; readonly body: string }
  | { readonly kind: 'damaged'; readonly line: number; readonly reason: string };

const FENCE = /^---[ \t]*$/;

const damaged = (line: number, reason: string): StateParts => ({ kind: 'damaged', line, reason });

/** Divides the text at its first two lines `---`. An editor may have added a mark, or other line endings. */
export function statePartsOf(file: string): StateParts {
  const text = withOwnLineEndings(file.replace(/^\uFEFF/, ''));
  const front = text.slice(0, MAX_FRONT_CHARACTERS).split('\n');
  if (!FENCE.test(front[0] ?? '')) return damaged(1, 'expected a line --- before the first key');
  const closing = front.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (closing < 0) {
    const last = text.length > MAX_FRONT_CHARACTERS ? front.length : text.trimEnd().split('\n').length;
    return damaged(last, 'expected a line --- between the keys and the task');
  }
  const yaml = front.slice(1, closing);
  const head = front.slice(0, closing + 1).join('\n').length + 1;
  const body = text.slice(head).replace(/^\n/, '').replace(/\n$/, '');
  return { kind: 'parts', yaml: yaml.join('\n'), closingLine: closing + 1, body };
}

/**
 * Lines are written with a line feed alone. Where the first ends otherwise, an editor has changed all of them, and the
 * task is still the same.
 */
const withOwnLineEndings = (text: string): string =>
  /^---[ \t]*\r\n/.test(text) ? text.replaceAll('\r\n', '\n') : text;
