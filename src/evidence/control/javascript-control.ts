import { type BoundName, boundNames } from './names-in-scope.ts';
import { JAVASCRIPT } from './code-syntax.ts';
import { RUNNERS, TESTS, testsOfJavascript } from './javascript-tests.ts';
import { withOwnPairs } from './own-pairs.ts';
import type { ControlMark, WrittenTests } from './write-tests.ts';

const ASSERTS: readonly string[] = ['assert', 'assert/strict'];
const EXPECTS: readonly string[] = ['vitest', '@jest/globals', 'expect'];

/** Calls of assertions that are false, by the name of the function that must throw. `$1`, `$2`: two numbers. */
const FALSE_ASSERTIONS = {
  ok: '(false)',
  equal: '($1, $2)',
  strictEqual: '($1, $2)',
  deepEqual: '([$1], [$2])',
  deepStrictEqual: '({ a: $1 }, { a: $2 })',
  notEqual: '($1, $1)',
  notStrictEqual: '($1, $1)',
  match: "('$1', /^$2$/)",
  throws: '(() => {})',
  rejects: '(async () => {})',
  notDeepEqual: '([$1], [$1])',
  notDeepStrictEqual: '([$1], [$1])',
  doesNotMatch: "('$1', /^$1$/)",
  doesNotThrow: "(() => { throw new Error('$1'); })",
  doesNotReject: "(async () => { throw new Error('$1'); })",
  ifError: "(new Error('$1'))",
  fail: "('$1')",
} as const;

const FALSE_EXPECTATIONS = [
  '($1).toBe($2)',
  '([$1]).toEqual([$2])',
  '({ a: $1 }).toStrictEqual({ a: $2 })',
  '({ a: $1 }).toMatchObject({ a: $2 })',
  '(0).toBeTruthy()',
  '([$1]).toContain($2)',
  "('$1').toMatch(/^$2$/)",
  '(() => {}).toThrow()',
  '($1).not.toBe($1)',
  '([$1]).not.toEqual([$1])',
  '(1).toBeFalsy()',
  '($1).toBeNull()',
  '($1).toBeUndefined()',
  '(undefined).toBeDefined()',
  '($1).toBeGreaterThan($2)',
  '($2).toBeLessThan($1)',
  '($1).toBeCloseTo($2)',
  '([$1]).toHaveLength(2)',
  "({ a: $1 }).toHaveProperty('b')",
  '($1).toBeInstanceOf(Map)',
] as const;

/** Of functions that remember their calls: where a file asserts so, and by what its runner gives to every file. */
const FALSE_CALLS = [
  '((globalThis.jest ?? globalThis.vi ?? { fn: () => () => {} }).fn()).toHaveBeenCalled()',
  '((globalThis.jest ?? globalThis.vi ?? { fn: () => () => {} }).fn()).toHaveBeenCalledTimes(1)',
  '((globalThis.jest ?? globalThis.vi ?? { fn: () => () => {} }).fn()).toHaveBeenCalledWith($1)',
] as const;

const FALSE_CHAI = [
  '($1).to.equal($2)',
  '([$1]).to.eql([$2])',
  '(false).to.equal(true)',
  '(() => {}).to.throw()',
  '($1).to.be.closeTo($2, 0.1)',
  '($1).to.be.above($2)',
  '($2).to.be.below($1)',
  '([$1]).to.include($2)',
  "({ a: $1 }).to.have.property('b')",
  '([$1]).to.have.lengthOf(2)',
  '($1).to.be.a("string")',
  '($1).to.not.equal($1)',
];

/**
 * By the names that a file of tests has for its runner and its assertions: so they go the way that its own tests go.
 */
export function javascriptControl(
  text: string,
  label: (index: number) => string,
  numbers: ControlMark['numbers'],
): WrittenTests {
  const [one, other] = numbers;
  const bound = boundNames(text);
  const assertions = [...bound.flatMap(assertionsOf), ...expectations(text, bound)];
  const bodies = ['throw new Error("$1");', ...new Set(assertions.map((assertion) => `await ${assertion};`))];
  const declare = declaring(bound);
  const preamble = [...new Set(bound.filter(isOfTests).map(({ statement }) => `${statement};\n`))].join('');
  const failing = bodies.map((body, index) => {
    const said = body.replaceAll('$1', `${one}`).replaceAll('$2', `${other}`);
    return `;${declare}('${label(index)}', async () => { ${said} });`;
  });
  const language = { syntax: JAVASCRIPT, testsOf: testsOfJavascript };
  return withOwnPairs(text, { preamble, failing }, { label, numbers }, language);
}

const isOfTests = ({ module }: BoundName): boolean => [...RUNNERS, ...ASSERTS, ...EXPECTS, 'chai'].includes(module);

/** What makes a test: as the file has it from its runner, or what its runner gives to every file. */
function declaring(bound: readonly BoundName[]): string {
  const ofRunner = bound.filter(({ module }) => RUNNERS.includes(module));
  const own = ofRunner.find(({ exported }) => TESTS.includes(exported));
  const all = ofRunner.find(({ exported }) => exported === '*');
  // The whole of tap is no function.
  if (own?.module === 'tap' && own.exported === 'default') return `${own.local}.test`;
  return own?.local ?? (all ? `${all.local}.test` : "(typeof it === 'function' ? it : test)");
}

function assertionsOf({ module, exported, local }: BoundName): readonly string[] {
  const every = Object.entries(FALSE_ASSERTIONS).map(([name, call]) => `${local}.${name}${call}`);
  if (module === 'chai' && exported === 'assert') return every.filter((call) => !/\.(rejects|deepStrict)/.test(call));
  if (!ASSERTS.includes(module)) return [];
  if (['default', '*', 'strict'].includes(exported)) return every;
  return Object.entries(FALSE_ASSERTIONS).flatMap(([name, call]) => (name === exported ? [`${local}${call}`] : []));
}

function expectations(text: string, bound: readonly BoundName[]): readonly string[] {
  const own = bound.find(({ module, exported }) => exported === 'expect' && EXPECTS.includes(module));
  const chai = bound.find(({ module }) => module === 'chai');
  const ofChai = bound.find(({ module, exported }) => module === 'chai' && exported === 'expect');
  const isUsed = /\bexpect\s*\(/.test(text);
  const known = [...FALSE_EXPECTATIONS, ...(/\.toHaveBeenCalled/.test(text) ? FALSE_CALLS : [])];
  if (own) return known.map((call) => `${own.local}${call}`);
  if (ofChai) return FALSE_CHAI.map((call) => `${ofChai.local}${call}`);
  if (!isUsed) return [];
  return (chai ? FALSE_CHAI : known).map((call) => `expect${call}`);
}
