import { stripVTControlCharacters } from 'node:util';
import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { git } from '../git/repository.ts';
import { NODE_TESTS } from '../support/node-tests.ts';
import { folder, MODEL, project, resultIn, Terminal } from './program.ts';
import { loopfold } from './warm-process.ts';

const testOf = (name: string) =>
  `require('node:test')('${name} adds', () => require('node:assert').equal(require('./sum.cjs').${name}(1, 2), 3));\n`;
const FILES = {
  '.gitignore': '.loopfold\nmodel.json\n',
  'sum.cjs': 'exports.add = (a, b) => a - b;\n',
  'sum.test.cjs': testOf('add'),
};
const RENAMED = { 'sum.cjs': 'exports.plus = (a, b) => a + b;\n', 'sum.test.cjs': testOf('plus') };
const renames = {
  calls: Object.entries(RENAMED).map(([path, content]) => ({ tool: 'write', arguments: { path, content } })),
};
const DONE = { text: 'done' };
const EMAIL = 'ada@example.org';
const ADDED = "+require('node:test')('plus adds'";

/** A project whose model renames what its test calls: a person has to decide. */
async function renaming() {
  const cwd = await project({ answers: [renames, DONE, renames, DONE, DONE] }, FILES);
  await git(cwd, 'config', 'user.email', EMAIL);
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  const how = { cwd, env: { XDG_CONFIG_HOME: await folder() } };
  const words = ['run', 'rename add', ...MODEL, '--loop', 'turn', '--verify', `L1:${NODE_TESTS}`];
  return { how, words: [...words, '--check-in', 'proof'] };
}

/** The same, and the run waits in no process. */
async function waiting() {
  const { how, words } = await renaming();
  expect((await loopfold(words, how)).status).toBe(EXIT.waiting);
  return how;
}

const APPROVED = new RegExp(
  `approved by ${userInfo().username} <${EMAIL}> at a terminal, \\d{4}-[\\d-]+T[\\d:.]+Z, difference ([0-9a-f]{16})`,
);

describe.runIf(process.platform === 'linux')('given a person at a terminal, and changed tests that decide', () => {
  test('V13 approve shows the difference first, and the end and the page say who has approved it', async () => {
    const how = await waiting();
    const terminal = new Terminal(['approve', '--last', 'grounds'], how);
    await terminal.shows(ADDED);
    await terminal.shows('Let exactly these changes count? [y/N] ');
    terminal.type('y\n');
    const { stdout } = await terminal.ended;
    const [, shown] = /difference {2}([0-9a-f]{16})/.exec(stripVTControlCharacters(stdout)) ?? [];
    const ended = await loopfold(['resume', '--last'], how);
    expect(ended.status).toBe(EXIT.success);
    expect(ended.stderr).toContain('success, approved');
    expect(APPROVED.exec(ended.stderr)?.[1]).toBe(shown);
    const page = await loopfold(['show', '--last'], how);
    expect(APPROVED.exec(page.stdout)?.[1]).toBe(shown);
  });

  test('V13 a no at the prompt of approve records neither an approval nor a denial', async () => {
    const how = await waiting();
    const terminal = new Terminal(['approve', '--last', 'grounds'], how);
    await terminal.shows('Let exactly these changes count? [y/N] ');
    terminal.type('\n');
    expect((await terminal.ended).status).toBe(EXIT.waiting);
    const inbox = JSON.parse((await loopfold(['inbox', '--json'], how)).stdout);
    expect(inbox).toMatchObject([{ callId: 'grounds', kind: 'approval' }]);
  });

  test('V13 a run that waits there shows the difference, and who answers it has approved it', async () => {
    const { how, words } = await renaming();
    const terminal = new Terminal(words, how);
    await terminal.shows(ADDED);
    await terminal.shows('difference  ');
    await terminal.shows('y/N, or why not > ');
    terminal.type('y\n');
    const { status, stdout } = await terminal.ended;
    expect(stripVTControlCharacters(stdout)).toMatch(APPROVED);
    expect(status).toBe(EXIT.success);
  });
});

test('V13 V15 without a terminal no person is known to approve: it is weak, and not enough', async () => {
  const how = await waiting();
  const approved = await loopfold(['approve', '--last', 'grounds'], how);
  expect(approved.status).toBe(EXIT.success);
  expect(approved.stderr).toContain('no person is known to approve, and the work is weak');
  const ended = await loopfold(['resume', '--last', '--output-format', 'json'], how);
  expect(ended.status).toBe(EXIT.unverified);
  expect(resultIn(ended)).toMatchObject({
    approval: null,
    weaknesses: ['grounds-approved'],
    outcome: { verified: { grade: 'weak', enough: false } },
  });
});
