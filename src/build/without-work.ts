import type { Plugin } from 'rolldown';

const EFFECTS = /\/src\/loops\/.*effects/;

/** A part of a syntax tree, as far as it is looked at. */
interface Node {
  readonly type?: string;
  readonly key?: { readonly name?: string };
  readonly value?: { readonly start: number; readonly end: number };
}

/**
 * Takes the handlers out of the effects of loops: a program without Node decides what is to be done, and does that work
 * in its own way. What only they import is left out with them.
 */
export const withoutWork = (): Plugin => ({
  name: 'without-work',
  transform(source, file) {
    if (!EFFECTS.test(file)) return null;
    let left = source;
    const handlers = [...handlersIn(this.parse(source, { lang: 'ts' }))];
    for (const { start, end } of handlers.toSorted((one, other) => other.start - one.start))
      left = `${left.slice(0, start)}undefined${left.slice(end)}`;
    return left;
  },
});

/** The values of the members `handler`, by their places in the text. */
function* handlersIn(node: unknown): Generator<{ readonly start: number; readonly end: number }> {
  if (typeof node !== 'object' || node === null) return;
  const { type, key, value } = node as Node;
  if (type === 'Property' && key?.name === 'handler' && value) return yield value;
  for (const part of Object.values(node)) yield* handlersIn(part);
}
