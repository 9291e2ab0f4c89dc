import { head } from '../text/excerpt.ts';

const MAX_NAMES = 50;
const MAX_NAME_CHARS = 200;
/** `✖ adds (1.42ms)`, as `node --test` prints a failed test, indented in its suite. */
const FAILED = /^\s*✖ (\S.*) \(\d+(?:\.\d+)?ms\)(?: #.*)?$/;
/** Above a failed test in the list at the end: `test at sum.test.js:2:1`. */
const PLACE = /^test at (\S.*:\d+:\d+)$/;
// oxlint-disable-next-line no-control-regex
const COLOUR = /\x1B\[[\d;]*m/g;

/**
 * The failed tests that `node --test` names in its output, in order, each once, with its place where that is printed.
 * At most 50, of at most 200 characters each. They are hints for an agent: no verdict rests on printed text.
 *
 * @example
 * namedInOutput('test at a.test.js:2:1\n✖ adds (1.42ms)\n'); // ['adds (a.test.js:2:1)']
 */
export function namedInOutput(output: string): readonly string[] {
  const lines = output.replace(COLOUR, '').split(/\r?\n/);
  const found = new Map<string, ReadonlySet<string>>();
  for (const [index, line] of lines.entries()) {
    const name = FAILED.exec(line)?.[1];
    if (name === undefined) continue;
    const place = PLACE.exec(lines[index - 1] ?? '')?.[1];
    found.set(name, new Set([...(found.get(name) ?? []), ...(place === undefined ? [] : [place])]));
  }
  const named = [...found].flatMap(([name, places]) =>
    places.size === 0 ? [name] : [...places].map((place) => `${name} (${place})`),
  );
  return named.slice(0, MAX_NAMES).map((name) => head(name, MAX_NAME_CHARS));
}
