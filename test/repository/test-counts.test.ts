import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratch } from './scratch.ts';
import { countTests } from './test-counts.ts';
import { root, run } from './tool.ts';

const config = readFileSync(join(root, 'test', 'vitest.config.ts'), 'utf8');
const head = "import { expect, test } from 'vitest';\n";

function counted(files: Readonly<Record<string, string>>) {
  const folder = scratch({ 'package.json': '{ "type": "module" }', 'test/vitest.config.ts': config, ...files });
  const report = join(folder, 'report.json');
  const args = ['vitest', 'run', '--config', 'test/vitest.config.ts'];
  const { status } = run('npx', args, folder, { ...process.env, TEST_REPORT: report });
  return { status, counts: countTests(readFileSync(report, 'utf8')) };
}

test('passed, failed and skipped tests are counted from the report of a real run', () => {
  const { status, counts } = counted({
    'test/a.test.ts': `${head}test('yes', () => {});\ntest('no', () => expect(1).toBe(2));\ntest.skip('later', () => {});\n`,
  });
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
  expect(status).toBe(1);
});

test('a file that breaks before its first test counts as a failure', () => {
  const { status, counts } = counted({
    'test/a.test.ts': `${head}test('yes', () => {});\n`,
    'test/b.test.ts': "throw new Error('broken');\n",
  });
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(status).toBe(1);
});
