import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { testInTurn } from '../../support/in-turn.ts';
import { check, headOf, type Project } from './evaluated.ts';
import { tenthOf } from '../../support/tenth.ts';

const ADDS = "require('node:test')('adds', () => require('node:assert').equal(require('./sum.cjs').add(1, 2), 3));\n";
const FILES = { 'sum.cjs': 'exports.add = (a, b) => a - b;\n', 'sum.test.cjs': ADDS };
const FIXED = { 'sum.cjs': 'exports.add = (a, b) => a + b;\n' };

const head = async (project: Partial<Project> = {}) => {
  const on = await headOf({ files: FILES, checks: [check('unit', 'node --test')], ...project });
  const [found] = on.found;
  if (!found) throw new Error(`no failing test was found: ${JSON.stringify(on.baseline)}`);
  return (changes: Readonly<Record<string, string>>) => on.evaluate({ ...FIXED, ...changes }, { ...found, id: 'it' });
};

testInTurn(
  'I9 a true fix is refused beside a new file of tests that has none, and kept beside one that has',
  async () => {
    const evaluated = await head();
    const empty = await evaluated({ 'more.test.cjs': 'process.exit(0);\n', 'less.test.cjs': '' });
    expect(empty.end).toMatchObject({ passed: false, tier: 'grounds' });
    expect(empty.end?.reason).toBe('no test of these new files has run: less.test.cjs, more.test.cjs');
    const skipped = await evaluated({ 'more.test.cjs': "require('node:test').skip('later', () => {});\n" });
    expect(skipped.end).toMatchObject({ passed: false, tier: 'grounds' });
    const honest = await evaluated({
      'more.test.cjs': ADDS.replace("'adds'", "'adds more'"),
      'test/data/helper.txt': 'no test\n',
    });
    expect(honest.end).toMatchObject({ passed: true });
  },
);

testInTurn('I9 a new test that takes the assertions from those that share its process is refused', async () => {
  const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
  const adds = "it('adds', () => require('node:assert').equal(require('./sum.cjs').add(1, 2), 3));\n";
  const evaluated = await head({
    files: { ...FILES, 'sum.test.cjs': adds },
    checks: [check('unit', `node ${mocha} './*.test.cjs'`)],
    walls: 'off',
  });
  const named = "it('more', () => {});\n";
  const patched = await evaluated({ 'a.test.cjs': `require('node:assert').equal = () => {};\n${named}` });
  expect(patched.end).toMatchObject({ passed: false, tier: 'grounds' });
  expect(patched.end?.reason).toBe('with its new tests, tests that must fail do not, in sum.test.cjs: a.test.cjs');
  const honest = await evaluated({ 'a.test.cjs': named });
  expect(honest.end).toMatchObject({ passed: true });
});

testInTurn('I9 without a report of a runner a new file of tests is let be', async () => {
  const on = await headOf({ files: FILES, checks: [check('unit', 'test -f sum.cjs')] });
  const said = await on.evaluate({ 'more.test.cjs': 'process.exit(0);\n' }, { source: 'ideas', title: 'an idea' });
  expect(said.end).toMatchObject({ passed: true });
});

const RESTED_ON: readonly (readonly [path: string, text: string])[] = [
  ['vitest.config.ts', 'export default {};\n'],
  ['.mocharc.yml', 'spec: none\n'],
  ['jest.config.js', 'module.exports = {};\n'],
  ['web-test-runner.config.mjs', 'export default {};\n'],
  ['deno.json', '{"tasks": {}}\n'],
  ['conftest.py', 'collect_ignore = ["a"]\n'],
  ['tests/conftest.py', 'collect_ignore = ["a"]\n'],
  ['package.json', '{"scripts": {"test": "true"}}\n'],
  ['test/package.json', '{"type": "module"}\n'],
  ['.gitattributes', '* -text\n'],
  ['.npmrc', 'script-shell=true\n'],
];

test.each(tenthOf(RESTED_ON))('I9 a true fix is refused beside a new %s, on which checks rest', async (path, text) => {
  const on = await headOf({ files: FILES, checks: [check('unit', 'test -f sum.cjs')] });
  const said = await on.evaluate({ ...FIXED, [path]: text }, { source: 'ideas', title: 'an idea' });
  expect(said.end).toMatchObject({ passed: false, tier: 'grounds' });
  expect(said.end?.reason).toContain(path);
});
