import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { git } from '../git/repository.ts';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const TEST = "require('node:test')('is right', () => require('node:assert').equal(require('./value.cjs'), 1));\n";
const FILES = { 'value.test.cjs': TEST, 'value.cjs': 'module.exports = 0;\n', '.gitignore': '.loopfold\nmodel.json\n' };
const ANSWER = { calls: [{ tool: 'write', arguments: { path: 'value.cjs', content: 'module.exports = 1;\n' } }] };

test('V11 redecide --evidence says of several runs what today’s rules would call them', async () => {
  const cwd = await project({ answers: [ANSWER, { text: 'done' }] }, FILES);
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  const ran = async (...flags: readonly string[]) => {
    const words = ['run', 'x', ...MODEL, '--verify', 'L1:node --test', '--output-format', 'json', ...flags];
    const run = resultIn(await loopfold(words, { cwd })).run ?? '';
    await git(cwd, 'checkout', '--quiet', '.');
    return run;
  };
  const [proven, unproven] = [await ran(), await ran('--check-in', 'workspace')];
  const table = await loopfold(['redecide', proven, unproven, '--evidence'], { cwd });
  expect(table.status).toBe(EXIT.success);
  expect(table.stdout).toMatch(new RegExp(`${proven} +success, (witnessed|verified) +(witnessed|verified)`));
  expect(table.stdout).toMatch(new RegExp(`${unproven} +success, weak +weak +the checks ran in the workspace`));
  const [one] = JSON.parse((await loopfold(['redecide', unproven, '--evidence', '--json'], { cwd })).stdout);
  expect(one).toMatchObject({ run: unproven, today: 'weak', because: ['in-workspace'] });
  const both = await loopfold(['redecide', proven, '--evidence', '--max-steps', '3'], { cwd });
  expect(both.status).toBe(EXIT.usage);
});
