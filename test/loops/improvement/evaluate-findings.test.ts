import { expect, test } from 'vitest';
import { check, headOf } from './evaluated.ts';
import { NODE_TESTS } from '../../support/node-tests.ts';

const NODE_TEST = "const test = require('node:test');\nconst assert = require('node:assert');\n";
const UNIT = check('unit', NODE_TESTS);

/** The finding of a head whose title contains a text. */
function about({ found }: Awaited<ReturnType<typeof headOf>>, text: string) {
  const one = found.find(({ title }) => title.includes(text));
  if (!one) throw new TypeError(`no finding about ${text} among: ${found.map(({ title }) => title).join('; ')}`);
  return { ...one, id: 'it' };
}

// A compiler as checks know it: by its name, and by what it prints.
const COMPILER = `
const { readFileSync, readdirSync } = require('node:fs');
const errors = readdirSync('src').flatMap((name) =>
  readFileSync('src/' + name, 'utf8').split('\\n').flatMap((line, index) =>
    [...line.matchAll(/wrong(\\w+)/g)].map(([, what]) =>
      \`src/\${name}(\${index + 1},1): error TS2322: Type '\${what}' is not assignable to type 'string'.\`)));
console.log(errors.join('\\n'));
process.exit(errors.length ? 2 : 0);
`;
const TYPED = {
  'tsc.cjs': COMPILER,
  'src/a.ts': 'export const a = wrongNumber;\n',
  'src/b.ts': 'export const b = wrongBoolean;\n',
};
const TYPES = check('types', 'node tsc.cjs', 'L0');

test('I9 a type error that is gone passes beside another one that stays, and a new one is refused', async () => {
  const on = await headOf({ files: TYPED, checks: [TYPES] });
  const discovery = about(on, "src/a.ts: TS2322: Type 'Number'");
  const right = await on.evaluate({ 'src/a.ts': "export const a = '';\n" }, discovery);
  expect(right.end).toMatchObject({ passed: true });
  expect(right.verified).toMatchObject({ passed: false });
  const other = await on.evaluate({ 'src/b.ts': "export const b = '';\n" }, discovery);
  expect(other.end).toMatchObject({ passed: false, tier: 'resolves', reason: expect.stringContaining('still there') });
  const worse = await on.evaluate({ 'src/a.ts': 'export const a = wrongDate;\n' }, discovery);
  expect(worse.end).toMatchObject({ passed: false, tier: 'L0', reason: expect.stringContaining("Type 'Date'") });
});

test('I9 a type error in a file elsewhere does not hide the tests of a head', async () => {
  const files = {
    ...TYPED,
    'sum.cjs': 'exports.add = (a, b) => a - b;\n',
    'sum.test.cjs': `${NODE_TEST}test('adds', () => assert.equal(require('./sum.cjs').add(1, 2), 3));\n`,
  };
  const on = await headOf({ files, checks: [TYPES, UNIT] });
  const said = await on.evaluate({ 'sum.cjs': 'exports.add = (a, b) => a + b;\n' }, about(on, 'adds'));
  expect(said.end).toMatchObject({ passed: true });
  expect(said.passed).toEqual(['ended', 'applies', 'grounds', 'L0', 'L1', 'resolves']);
});

test('I9 a skipped test has to run and pass, and may not be deleted', async () => {
  const skipped = `${NODE_TEST}test('halves', { skip: true }, () => assert.equal(require('./half.cjs')(4), 2));\n`;
  const files = { 'half.cjs': 'module.exports = (n) => n;\n', 'half.test.cjs': skipped };
  const on = await headOf({ files, checks: [UNIT] });
  const discovery = about(on, 'is skipped: halves');
  const run = skipped.replace('{ skip: true }, ', '');
  const right = await on.evaluate({ 'half.cjs': 'module.exports = (n) => n / 2;\n', 'half.test.cjs': run }, discovery);
  expect(right.end).toMatchObject({ passed: true });
  expect(right.verified?.proof?.tests).toMatchObject([{ fresh: 1, lostCount: 0 }]);
  const wrong = await on.evaluate({ 'half.test.cjs': run }, discovery);
  expect(wrong.end).toMatchObject({
    passed: false,
    tier: 'L1',
    reason: expect.stringContaining('fails: half.test.cjs: halves'),
  });
  const deleted = await on.evaluate({ 'half.test.cjs': NODE_TEST }, discovery);
  expect(deleted.end).toMatchObject({ passed: false, tier: 'grounds' });
});
