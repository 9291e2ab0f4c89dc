import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckResult, EventOf } from '../../../machines/events.ts';
import { verifyActor } from '../../../src/actors/verify/verify-actor.ts';
import { checksFeedback } from '../../../src/strategies/feedback.ts';
import { succeeds } from '../../hosts/local/proof/proof-project.ts';
import { root } from '../../repository/tool.ts';
import { report } from '../../strategies/iteration.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { performed } from '../performed.ts';

const saying = (head: string, characters: number, tail: string) =>
  `'${head} ' + 'x'.repeat(${characters}) + ' ${tail}'`;
const NODE_SUITE = `
import { test } from 'node:test';
test('adds', () => {});
test('subtracts', () => { throw new Error(${saying('HEAD', 5_000, 'TAIL')}); });
test('divides', () => { throw new Error(${saying('BEGINNING', 50_000, 'END')}); });
`;
const VITEST_SUITE = `
import { expect, test } from 'vitest';
const deep = (last) => ({ a: { b: { c: [1, 2, { d: 'the same', last }] } } });
test('compares', () => expect(deep('this')).toEqual(deep('that')));
`;
const PYTEST_SUITE = `
def test_says():
    assert False, 'HEAD ' + 'x' * 5000 + ' TAIL'
def test_says_much():
    assert False, 'BEGINNING ' + 'x' * 50000 + ' END'
`;

let directory = '';
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'loopfold-named-')));
  await writeFile(join(directory, 'sums.test.mjs'), NODE_SUITE);
  await writeFile(join(directory, 'deep.vitest.ts'), VITEST_SUITE);
  await writeFile(join(directory, 'test_says.py'), PYTEST_SUITE);
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
});
afterAll(() => rm(directory, { recursive: true }));

async function completedBy(command: string): Promise<EventOf<'verification.completed'>['payload']> {
  const check = { level: 'L1' as const, name: 'unit', command, timeoutMs: 60_000 };
  const { events } = await performed(verifyActor(), { checks: [check], directory, environment: [], workspace: null });
  const [event] = events;
  if (event?.type !== 'verification.completed') throw new Error(JSON.stringify(events));
  return event.payload;
}

async function resultOf(command: string): Promise<CheckResult> {
  const result = (await completedBy(command)).levels[0]?.checks[0];
  if (!result) throw new Error('no check has run');
  return result;
}

const messageOf = ({ tests }: CheckResult, name: string) =>
  tests?.failing.find((one) => one.name.endsWith(name))?.message ?? '';
describe('G3 a check in the workspace, whose runner prints no report, names its failed tests', () => {
  test('G3 node --test: a long message is whole, and the cut of a longer one is marked', async () => {
    const result = await resultOf('node --test --test-reporter=spec');
    expect(result).toMatchObject({ passed: false, tests: { format: 'list', passed: 1, failed: 2 } });
    expect(result.tests?.failing.map(({ name }) => name)).toEqual([
      'sums.test.mjs > subtracts',
      'sums.test.mjs > divides',
    ]);
    expect(messageOf(result, 'subtracts')).toMatch(/^(?:Error: )?HEAD x{5000} TAIL$/);
    expect(messageOf(result, 'divides')).toMatch(/^(?:Error: )?BEGINNING x+\n\[… the middle is left out …\]\nx+ END$/);
    expect(messageOf(result, 'divides').length).toBeLessThanOrEqual(8_000);
    expect(checksFeedback(report({ L1: [result] }))).toMatch(
      /subtracts: (?:Error: )?HEAD x+\n {2}\[… the middle is left out …\]/,
    );
  });

  testInTurn('G3 vitest: with the difference, which its message leaves out', async () => {
    await writeFile(join(directory, 'vitest.config.mjs'), "export default { test: { include: ['*.vitest.ts'] } };");
    const result = await resultOf('node_modules/.bin/vitest run --dir . --config vitest.config.mjs --reporter=dot');
    expect(messageOf(result, 'deep.vitest.ts > compares')).toMatch(
      /to deeply equal[^]*- +"last": "that"[^]*\+ +"last": "this"/,
    );
  });

  testInTurn.runIf(succeeds('python3', '-m', 'pytest', '--version'))('G3 pytest', async () => {
    const result = await resultOf('python3 -m pytest -q -p no:cacheprovider test_says.py');
    expect(result.tests?.failing.map(({ name }) => name)).toEqual([
      'test_says.py > test_says',
      'test_says.py > test_says_much',
    ]);
    expect(messageOf(result, 'test_says')).toMatch(/HEAD x{5000} TAIL/);
    expect(messageOf(result, 'test_says_much')).toMatch(/BEGINNING x+\n\[… the middle is left out …\]\nx+ END/);
  });

  test('G3 the folder of reports is gone afterwards', async () => {
    const { output } = await resultOf('test -d "$LOOPFOLD_REPORTS" && echo "$LOOPFOLD_REPORTS"; false');
    expect(output).toMatch(/loopfold-reports-/);
    expect(existsSync(output.trim())).toBe(false);
  });

  testInTurn('G3 what a runner reports changes no verdict there', async () => {
    expect(await resultOf('node --test --test-reporter=spec || true')).toMatchObject({ passed: true });
    const { proof } = await completedBy('true');
    expect(proof).toBeUndefined();
  });
});
