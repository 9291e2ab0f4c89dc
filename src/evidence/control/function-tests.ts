import { type Code, textAt } from './code-groups.ts';
import type { OwnTest } from './own-tests.ts';

/** The tests of a file of Go: its functions that are named as `go test` wants them. */
export const testsOfGo = (code: Code): readonly OwnTest[] =>
  code.tokens.flatMap((_, at) => {
    const isTest = textAt(code, at) === 'func' && /^Test(?!Main$)(?![a-z])/.test(textAt(code, at + 1));
    return isTest && code.outer[at] === -1 ? functionAt(code, at, at) : [];
  });

const LEFT_ALONE = new Set(['should_panic', 'ignore']);

/** The tests of a file of Rust: functions with the attribute of tests. */
export const testsOfRust = (code: Code): readonly OwnTest[] =>
  code.tokens.flatMap((_, at) => {
    const start = textAt(code, at) === 'fn' ? firstAttribute(code, at) : at;
    const attributes = code.tokens.slice(start, at).map(({ text }) => text);
    const isTest = attributes.includes('test') && !attributes.some((text) => LEFT_ALONE.has(text));
    return isTest ? functionAt(code, start, at) : [];
  });

/** Where the attributes and words before a function begin. */
function firstAttribute(code: Code, at: number): number {
  let first = /^(?:pub|async)$/.test(textAt(code, at - 1)) ? at - 1 : at;
  for (let open = code.partners.get(first - 1); open !== undefined; open = code.partners.get(first - 1)) {
    if (textAt(code, open) !== '[' || textAt(code, open - 1) !== '#') return first;
    first = open - 1;
  }
  return first;
}

/** A function with a body, which begins with the token `start` and has its keyword at `at`. */
function functionAt(code: Code, start: number, at: number): readonly OwnTest[] {
  const { tokens, partners } = code;
  const [name, from] = [tokens[at + 1], tokens[start]?.from];
  let open = (partners.get(at + 2) ?? at + 1) + 1;
  while (open < tokens.length && !['{', ';'].includes(textAt(code, open))) open += 1;
  const close = partners.get(open);
  const to = tokens[close ?? -1]?.to;
  if (!name || from === undefined || close === undefined || to === undefined) return [];
  return [{ from, to, nameEnd: name.to, joiner: '_', body: { from: open, to: close }, at: to, before: '\n' }];
}
