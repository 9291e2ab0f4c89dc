import { type BoundName, boundNames } from './names-in-scope.ts';
import { beginsStatement } from './call-chain.ts';
import { type Code, textAt, topOf } from './code-groups.ts';
import { argumentsOf, partOf } from './call-arguments.ts';
import type { OwnTest } from './own-tests.ts';

/** Modules that have what makes a test. */
export const RUNNERS: readonly string[] = 'test vitest @jest/globals mocha ava tape tap uvu bun:test'.split(' ');
/** Their exports that make one. */
export const TESTS: readonly string[] = ['test', 'it', 'default'];

const GLOBALS = ['test', 'it', 'specify'];
const GROUPS = ['describe', 'suite', 'context'];
const LEFT_ALONE = ['skip', 'todo', 'only', 'fails', 'failing'];

/** The tests of a file of JavaScript that stand at its top or in its groups, and have a name of their own. */
export function testsOfJavascript(code: Code): readonly OwnTest[] {
  const bound = boundNames(code.text).filter(({ module }) => RUNNERS.includes(module));
  const names = new Set([...GLOBALS, ...bound.filter(makesTests).map(({ local }) => local)]);
  const all = new Set(bound.filter(({ exported }) => exported === '*').map(({ local }) => local));
  return code.tokens.flatMap((_, at) => {
    const first = all.has(textAt(code, at - 2)) && textAt(code, at - 1) === '.' ? at - 2 : at;
    return names.has(textAt(code, at)) && isOfGroups(code, first) ? testAt(code, first, at) : [];
  });
}

const makesTests = ({ exported }: BoundName): boolean => TESTS.includes(exported);

function testAt(code: Code, first: number, at: number): readonly OwnTest[] {
  const { tokens, partners } = code;
  const close = tokens[partners.get(at + 1) ?? -1];
  const name = tokens[at + 2];
  if (textAt(code, at + 1) !== '(' || !beginsStatement(code, first) || !close || name?.kind !== 'string') return [];
  const parts = argumentsOf(code, at + 1);
  const [title, last] = [parts.at(0), parts.at(-1)];
  if (!title || !last || parts.length < 2 || title.to - title.from !== 1) return [];
  if (partOf(code, last).is !== 'function') return [];
  const next = (partners.get(at + 1) ?? 0) + 1;
  const options = tokens.slice(title.to, last.from).map(({ text }) => text);
  if (textAt(code, next) === '.' || options.some((text) => LEFT_ALONE.includes(text))) return [];
  const start = tokens[textAt(code, first - 1) === 'await' ? first - 1 : first]?.from ?? 0;
  const end = textAt(code, next) === ';' ? (tokens[next]?.to ?? close.to) : close.to;
  const joined = { nameEnd: name.to - 1, joiner: ' ' as const, before: '\n;' };
  return [{ from: start, to: close.to, at: end, body: bodyOf(code, last.from, last.to), ...joined }];
}

/** What a function does: its parameters say nothing of that. */
function bodyOf(code: Code, from: number, to: number) {
  const arrow = topOf(code, { from, to }).find((at) => textAt(code, at) === '=>');
  return { from: arrow ?? from, to };
}

/** Tells whether all that is around it are groups of tests. */
function isOfGroups(code: Code, at: number): boolean {
  for (let open = code.outer[at] ?? -1; open >= 0; open = code.outer[open] ?? -1) {
    const around = code.outer[open] ?? -1;
    const isCall = textAt(code, open) === '(' && GROUPS.includes(textAt(code, open - 1));
    const isBody = textAt(code, open) === '{' && around >= 0 && textAt(code, around) === '(';
    if (!isCall && !isBody) return false;
  }
  return true;
}
