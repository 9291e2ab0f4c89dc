import { describe, expect, test } from 'vitest';
import { testInTurn } from '../../support/in-turn.ts';
import { check, headOf } from './evaluated.ts';
import { NODE_TESTS } from '../../support/node-tests.ts';

const testOf = (name: string, expected: number) =>
  [
    "const { equal } = require('node:assert');",
    `require('node:test')('${name} works', () => equal(require('./sum.cjs').${name}(1, 2), ${expected}));`,
    '',
  ].join('\n');

const SUM = 'exports.add = (a, b) => a - b;\nexports.times = (a, b) => a * b;\nexports.minus = (a, b) => a + b;\n';
const ADDS = SUM.replace('a - b', 'a + b');
const FILES = {
  'sum.cjs': SUM,
  'add.test.cjs': testOf('add', 3),
  'times.test.cjs': testOf('times', 2),
  // Fails on the head, and is not the task here.
  'minus.test.cjs': testOf('minus', -1),
};
const CHECKS = [check('unit', NODE_TESTS)];

const head = () => headOf({ files: FILES, checks: CHECKS });
const failing = ({ found }: Awaited<ReturnType<typeof head>>, name: string) => {
  const one = found.find(({ title }) => title.includes(name));
  if (!one) throw new TypeError(`no finding about ${name}`);
  return { ...one, id: 'it' };
};

describe('I9 a candidate for a failing test, on a head with another failing test', () => {
  testInTurn('I9 passes where its test passes and nothing is lost', async () => {
    const on = await head();
    const said = await on.evaluate({ 'sum.cjs': ADDS }, failing(on, 'add works'));
    expect(said.end).toMatchObject({ passed: true, tier: null });
    expect(said.tiers.map(({ tier }) => tier)).toEqual(['ended', 'applies', 'grounds', 'L1', 'resolves']);
    expect(said.tiers.find(({ tier }) => tier === 'L1')?.detail).toBe('fails, as on the head: nothing is lost');
    expect(said.verified).toMatchObject({ passed: false, workspace: said.end?.tree });
    expect(said.verified?.proof?.tests).toMatchObject([{ check: 'unit', turnedCount: 1, kept: 1, lostCount: 0 }]);
    expect(said.verified?.proof?.control?.held).toEqual(['add.test.cjs']);
    expect(said.types.at(-1)).toBe('evaluation.completed');
  });

  testInTurn('I9 is refused by the checks where another test is lost', async () => {
    const on = await head();
    const said = await on.evaluate({ 'sum.cjs': ADDS.replace('a * b', 'a / b') }, failing(on, 'add works'));
    expect(said.end).toMatchObject({ passed: false, tier: 'L1' });
    expect(said.end?.reason).toContain('times works');
    expect(said.passed).toEqual(['ended', 'applies', 'grounds']);
  });

  test('I9 is refused where its test still fails', async () => {
    const on = await head();
    const said = await on.evaluate({ 'sum.cjs': `${SUM}// looked at\n` }, failing(on, 'add works'));
    expect(said.end).toMatchObject({ passed: false, tier: 'resolves' });
    expect(said.passed).toEqual(['ended', 'applies', 'grounds', 'L1']);
  });

  testInTurn('I9 is refused where it edits, deletes or skips its test', async () => {
    const on = await head();
    const discovery = failing(on, 'add works');
    const skipped = FILES['add.test.cjs'].replace("('add works',", "('add works', { skip: true },");
    for (const text of [testOf('add', -1), null, skipped]) {
      const said = await on.evaluate({ 'add.test.cjs': text }, discovery);
      expect(said.end).toMatchObject({ passed: false, tier: 'grounds' });
      expect(said.end?.reason).toContain('add.test.cjs');
    }
  });

  testInTurn('I9 is refused by what its test says where changes of tests count', async () => {
    const on = await headOf({ files: FILES, checks: CHECKS, allowGrounds: ['times.test.cjs', 'add.test.cjs'] });
    const discovery = failing(on, 'add works');
    const edited = await on.evaluate({ 'add.test.cjs': testOf('add', -1) }, discovery);
    expect(edited.end).toMatchObject({ passed: false, tier: 'resolves' });
    const deleted = await on.evaluate({ 'sum.cjs': ADDS, 'times.test.cjs': null }, discovery);
    expect(deleted.end).toMatchObject({ passed: false, tier: 'L1' });
    expect(deleted.end?.reason).toContain('was not run');
  });

  testInTurn('I9 may come with tests of its own, which have to pass', async () => {
    const on = await head();
    const more = testOf('add', 3).replace('add works', 'add works again');
    const good = await on.evaluate({ 'sum.cjs': ADDS, 'more.test.cjs': more }, failing(on, 'add works'));
    expect(good.end).toMatchObject({ passed: true });
    const bad = await on.evaluate(
      { 'sum.cjs': ADDS, 'more.test.cjs': more.replace('3)', '4)') },
      failing(on, 'add works'),
    );
    expect(bad.end).toMatchObject({ passed: false, tier: 'L1' });
    expect(bad.end?.reason).toContain('add works again');
  });
});

testInTurn('I9 V2 two candidates cannot forge what one cannot: tests of the start count to the end', async () => {
  const on = await head();
  // An earlier candidate has made the test of `times` say nothing: its name is there, and it passes.
  const weak = "require('node:test')('times works', () => {});\n";
  const later = await on.laterHead({ 'times.test.cjs': weak });
  const discovery = failing(on, 'add works');
  const right = await on.evaluate({ 'sum.cjs': ADDS }, discovery, { head: later });
  expect(right.end).toMatchObject({ passed: true });
  expect(right.passed).toEqual(['ended', 'applies', 'grounds', 'L1', 'resolves', 'tests of the start']);
  const wrong = await on.evaluate({ 'sum.cjs': ADDS.replace('a * b', 'a / b') }, discovery, { head: later });
  expect(wrong.end).toMatchObject({ passed: false, tier: 'tests of the start' });
  expect(wrong.end?.reason).toContain('times works');
});

testInTurn(
  'I9 V2 a test that an earlier candidate added is left out once, for it may replace what others test',
  async () => {
    const on = await head();
    const later = await on.laterHead({ 'again.test.cjs': testOf('times', 2) });
    const said = await on.evaluate({ 'sum.cjs': ADDS }, failing(on, 'add works'), { head: later });
    expect(said.passed).toEqual(['ended', 'applies', 'grounds', 'L1', 'resolves', 'tests of the start']);
  },
);
