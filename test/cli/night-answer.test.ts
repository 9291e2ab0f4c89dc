import { expect, test } from 'vitest';
import { improvable, WITH_SKIPPED } from './improving-project.ts';
import { loopfold } from './warm-process.ts';

test('I15 a night answers with what it kept and why it is over, and its report has the same as data', async () => {
  const { words, how } = await improvable(WITH_SKIPPED);
  const { status, stdout } = await loopfold(['improve', ...words, '--output-format', 'json'], how);
  expect(status).toBe(0);
  const result: unknown = JSON.parse(stdout);
  const reason = expect.stringMatching(/^1 improvement kept; nothing to improve was found by failing-tests/) as unknown;
  expect(result).toMatchObject({ outcome: { ending: 'success' }, answer: reason, reason });
  const data: unknown = JSON.parse((await loopfold(['improve', '--report', '--json'], how)).stdout);
  expect(data).toMatchObject({
    ending: { outcome: 'success', name: 'success, witnessed', grade: 'witnessed', reason },
    counts: { improvements: 1 },
    kept: [
      {
        iteration: 1,
        finding: { title: 'Test is skipped: adds nothing', source: 'skipped-tests', file: 'test/sum.test.js' },
        witness: { kind: 'test' },
        grade: 'witnessed',
        because: expect.stringContaining('passes now') as unknown,
        files: [{ path: 'test/sum.test.js' }],
      },
    ],
    notShown: [],
    refused: [],
    costs: { tokens: { total: expect.any(Number) as unknown } },
  });
  const { stdout: page } = await loopfold(['show', '--last'], how);
  expect(page).not.toMatch(/^ {2}answer/m);
});
