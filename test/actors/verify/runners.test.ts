import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckResult } from '../../../machines/events.ts';
import { verifyActor } from '../../../src/actors/verify/verify-actor.ts';
import { checksFeedback } from '../../../src/strategies/feedback.ts';
import { root } from '../../repository/tool.ts';
import { report } from '../../strategies/iteration.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { performed } from '../performed.ts';

const NODE_SUITE = `
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
describe('sums', () => {
  it('adds', () => assert.equal(1 + 1, 2));
  it('subtracts', () => assert.equal(2 - 1, 3));
  it.skip('divides', () => {});
  it.todo('roots', () => assert.fail('later'));
  describe('of two', () => it('fails & prints', () => { throw new TypeError('no <sum>'); }));
});
test('prints', () => console.log('not ok 1 - only printed'));
`;
const VITEST_SUITE = `
import { describe, expect, it } from 'vitest';
describe('sums', () => {
  it('adds', () => expect(1 + 1).toBe(2));
  it('subtracts', () => expect(2 - 1).toBe(3));
  it.skip('divides', () => {});
});
`;

let directory = '';
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'loopfold-runners-')));
  await writeFile(join(directory, 'sums.test.mjs'), NODE_SUITE);
  await writeFile(join(directory, 'broken.test.mjs'), "throw new Error('cannot be loaded');");
  await writeFile(join(directory, 'sums.vitest.ts'), VITEST_SUITE);
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
});
afterAll(() => rm(directory, { recursive: true }));

async function resultOf(command: string, path?: string): Promise<CheckResult> {
  const check = { level: 'L1' as const, name: 'unit', command, timeoutMs: 60_000, ...(path ? { report: path } : {}) };
  const { events } = await performed(verifyActor(), { checks: [check], directory, environment: [], workspace: null });
  const [event] = events;
  const result = event?.type === 'verification.completed' ? event.payload.levels[0]?.checks[0] : undefined;
  if (!result) throw new Error(JSON.stringify(events));
  return result;
}

const node = `'${process.execPath}' --test`;
const named = ({ tests }: CheckResult) =>
  tests?.failing.map(({ name, message }) => `${name}: ${message.split('\n')[0]}`).toSorted();

describe('L16 what real runners report', () => {
  test('L16 node --test, tap', async () => {
    const result = await resultOf(`${node} --test-reporter=tap || true`);
    expect(result).toMatchObject({
      passed: false,
      exitCode: 0,
      tests: { format: 'tap', passed: 2, failed: 3, skipped: 2 },
    });
    expect(named(result)).toEqual([
      'broken.test.mjs: test failed',
      'sums > of two > fails & prints: no <sum>',
      'sums > subtracts: Expected values to be strictly equal:',
    ]);
    expect(checksFeedback(report({ L1: [result] }))).toMatch(
      /^These checks failed:\nL1\/unit: 3 of 5 tests failed:\n- .*\nIts output ends with:\n.*but its report shows 3 failed$/s,
    );
  });

  testInTurn('L16 node --test, junit', async () => {
    const result = await resultOf(`${node} --test-reporter=junit`);
    expect(result).toMatchObject({
      passed: false,
      exitCode: 1,
      tests: { format: 'junit', passed: 2, failed: 3, skipped: 2 },
    });
    expect(named(result)).toEqual([
      'sums > of two > fails & prints: no <sum>',
      'sums > subtracts: Expected values to be strictly equal:',
      'test > broken.test.mjs: test failed',
    ]);
  });

  testInTurn('L16 node --test, spec: no single tests, so exit code and output are all there is', async () => {
    const result = await resultOf(`${node} --test-reporter=spec`);
    expect(result).toMatchObject({ passed: false, exitCode: 1 });
    expect(result).not.toHaveProperty('tests');
  });

  testInTurn('L16 vitest, json, by its file', async () => {
    const vitest =
      'node_modules/.bin/vitest run --dir . --reporter=json --outputFile=out.json --config vitest.config.mjs';
    await writeFile(join(directory, 'vitest.config.mjs'), "export default { test: { include: ['*.vitest.ts'] } };");
    const result = await resultOf(`${vitest} || true`, 'out.json');
    expect(result).toMatchObject({
      passed: false,
      exitCode: 0,
      tests: { format: 'json', passed: 1, failed: 1, skipped: 1 },
    });
    expect(named(result)).toEqual([
      'sums.vitest.ts > sums > subtracts: AssertionError: expected 1 to be 3 // Object.is equality',
    ]);
  });
});
