import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { scratch } from './scratch.ts';
import { countTests, sumOf } from './test-counts.ts';
import { runTool } from './tool.ts';

const config =
  "export default { test: { include: ['test/*.test.ts'], reporters: [['json', { outputFile: 'report.json' }]] } };\n";
const head = "import { expect, test } from 'vitest';\n";

function counted(files: Readonly<Record<string, string>>) {
  const folder = scratch({ 'package.json': '{ "type": "module" }', 'vitest.config.ts': config, ...files });
  const report = join(folder, 'report.json');
  const { status } = runTool('vitest', ['run'], folder);
  return { status, counts: countTests(readFileSync(report, 'utf8')) };
}

test('passed, failed and skipped tests are counted from the report of a real run, and failures are named', () => {
  const { status, counts } = counted({
    'test/a.test.ts': `${head}test('yes', () => {});\ntest('no', () => expect(1).toBe(2));\ntest.skip('later', () => {});\n`,
  });
  expect(counts).toMatchObject({ passed: 1, skipped: 1 });
  expect(counts.failures).toEqual([expect.stringMatching(/a\.test\.ts: no: AssertionError: expected 1 to be 2/)]);
  expect(status).toBe(1);
});

testInTurn('a file that breaks before its first test counts as a failure', () => {
  const { status, counts } = counted({
    'test/a.test.ts': `${head}test('yes', () => {});\n`,
    'test/b.test.ts': "throw new Error('broken');\n",
  });
  expect(counts).toMatchObject({ passed: 1, skipped: 0 });
  expect(counts.failures).toEqual([expect.stringMatching(/b\.test\.ts: .*broken/)]);
  expect(status).toBe(1);
});

test('several reports are one sum', () => {
  const [one, other] = [
    { passed: 1, failures: ['a'], skipped: 3 },
    { passed: 10, failures: ['b', 'c'], skipped: 30 },
  ];
  expect(sumOf([one, other])).toEqual({ passed: 11, failures: ['a', 'b', 'c'], skipped: 33 });
});
