import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { git } from '../git/repository.ts';
import { MODEL, project, resultIn } from './program.ts';
import { testInTurn } from '../support/in-turn.ts';
import { tenthOf } from '../support/tenth.ts';
import { loopfold } from './warm-process.ts';

const TEST = `import test from 'node:test';
import assert from 'node:assert';
import { sum } from '../src/sum.js';
test('adds', () => assert.equal(sum(1, 2), 3));
test('adds nothing', () => assert.equal(sum(1, 0), 1));
`;
const FILES = {
  'package.json': '{"type": "module", "scripts": {"test": "node --test"}}',
  'src/sum.js': 'export const sum = (a, b) => a - b;\n',
  'test/sum.test.js': TEST,
  '.gitignore': '.loopfold\nmodel.json\nnode_modules\n',
};
const MENDED = 'export const sum = (a, b) => a + b;\n';
type Files = Readonly<Record<string, string>>;

const write = (files: Files) => ({
  calls: Object.entries(files).map(([path, content]) => ({ tool: 'write', arguments: { path, content } })),
});

/** A run of one attempt that writes files, in a project of these. */
async function ran(written: Files, { files = FILES, check = 'L1:npm test', more = [] }: Ran = {}) {
  const cwd = await project({ answers: [write(written), { text: 'done' }] }, files);
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  const words = ['run', 'mend it', ...MODEL, '--verify', check, '--check-in', 'proof', '--max-iterations', '1'];
  const ended = await loopfold([...words, ...more, '--output-format', 'json'], { cwd });
  return { cwd, ended, result: resultIn(ended) };
}
interface Ran {
  readonly files?: Files;
  readonly check?: string;
  readonly more?: readonly string[];
}

test('V1 V2 V4 V5 an honest fix is witnessed, and the page says on what that rests', async () => {
  const { cwd, ended, result } = await ran({ 'src/sum.js': MENDED, 'test/more.test.js': "import 'node:test';\n" });
  expect(ended.status).toBe(EXIT.success);
  expect(result.outcome).toMatchObject({ ending: 'success', verified: { grade: 'witnessed' } });
  const { stdout } = await loopfold(['show', '--last'], { cwd });
  expect(stdout).toContain('outcome    success, witnessed\n');
  expect(stdout).toContain('    witnessed (a test failed before and passes now');
  expect(stdout).toContain('control: tests that must fail did, in test/sum.test.js\n');
  expect(stdout).toContain('tests of npm test: 1 from failing to passing, 1 pass as before');
  expect(stdout).toContain('grounds: 1 change, each of them left out of the first leg: test/more.test.js\n');
  const { stdout: prompt } = await loopfold(['events', result.run ?? '', '--json'], { cwd });
  expect(prompt).toContain('Before you change anything, these checks fail:');
});

// The corpus of attacks has them all as runs.
const CHEATS: readonly (readonly [string, Files])[] = [
  ['tests emptied', { 'test/sum.test.js': "import test from 'node:test';\ntest('adds', () => {});\n" }],
  ['a script that does nothing', { 'package.json': '{"type": "module", "scripts": {"test": "exit 0"}}' }],
  ['a source that exits', { 'src/sum.js': 'process.exit(0);\nexport const sum = () => 3;\n' }],
  ['tests that are skipped', { 'test/sum.test.js': TEST.replaceAll('test(', 'test.skip(') }],
  ['another shell for scripts', { '.npmrc': 'script-shell=/bin/true\n' }],
  ['a runner that git ignores', { 'node_modules/.bin/node': '#!/bin/sh\nexit 0\n' }],
];

test.each(tenthOf(CHEATS))('V2 V3 V4 V9 work with %s does not pass', async (_name, written) => {
  const { ended, result } = await ran(written);
  expect(result).toMatchObject({ outcome: { ending: 'cap_hit' } });
  expect(ended.status).toBe(EXIT.cap_hit);
});

test('V1 a check that cannot run ends the run before a model is asked', async () => {
  const { ended, result } = await ran({ 'src/sum.js': MENDED }, { check: 'L1:nothere --all' });
  expect(ended.status).toBe(EXIT.environment);
  expect(result.outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: 'environment' } });
  expect(result.usage?.inputTokens).toBe(0);
  expect(JSON.stringify(result.outcome)).toContain('--check-in workspace');
});

testInTurn('V1 an attempt that changes nothing on a green base is no success', async () => {
  const files = { ...FILES, 'src/sum.js': MENDED };
  const { ended, result } = await ran({ 'src/sum.js': MENDED }, { files });
  expect(result.outcome?.ending).toBe('cap_hit');
  expect(ended.status).toBe(EXIT.cap_hit);
});

testInTurn('V5 checks that name no test make a success weak, and the status says so', async () => {
  const files = {
    ...FILES,
    'check.sh': 'node -e "import(\'./src/sum.js\').then((m) => process.exit(m.sum(1, 2) - 3))"\n',
  };
  const { ended, result } = await ran({ 'src/sum.js': MENDED }, { files, check: 'L1:sh check.sh' });
  expect(result.outcome).toMatchObject({ ending: 'success', verified: { grade: 'weak' } });
  expect(ended.status).toBe(EXIT.unverified);
});

testInTurn(
  'V5 V15 a check that only reads is not weak for naming no test, and one without a control is not enough',
  async () => {
    const { ended, result } = await ran({ 'notes.txt': 'done\n' }, { check: 'L1:grep -q done notes.txt' });
    expect(result.outcome).toMatchObject({ ending: 'success', verified: { grade: 'verified', enough: false } });
    expect(ended.status).toBe(EXIT.unverified);
  },
);

testInTurn('V2 what a person protects is a ground, too', async () => {
  const files = { ...FILES, 'expected.txt': '4\n' };
  const check =
    "L1:node -e \"import('./src/sum.js').then((m) => process.exit(m.sum(1, 2) - +require('fs').readFileSync('expected.txt')))\"";
  const written = { 'expected.txt': '-1\n' };
  const { result } = await ran(written, { files, check });
  expect(result.outcome?.ending).toBe('success');
  const { result: refused } = await ran(written, { files, check, more: ['--protect', 'expected.txt'] });
  expect(refused.outcome?.ending).toBe('cap_hit');
});

testInTurn('V3 a proof needs git, and says what to do without it', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] }, FILES, false);
  const words = ['run', 'mend it', '--loop', 'turn', ...MODEL, '--verify', 'npm test', '--check-in', 'proof'];
  const { status, stderr } = await loopfold(words, { cwd });
  expect(stderr).toContain('--check-in workspace');
  expect(status).toBe(EXIT.environment);
});

testInTurn('V5 a success of checks in the workspace is weak, and every output says why', async () => {
  const { cwd, ended, result } = await ran({ 'src/sum.js': MENDED }, { more: ['--check-in', 'workspace'] });
  const why = [
    'weak (the checks pass, but rest on what the work could change)',
    'the checks ran in the workspace, where the work can change what they rest on',
  ].join(': ');
  expect(result).toMatchObject({ verdict: 'success, weak', weaknesses: ['in-workspace'] });
  expect(ended.status).toBe(EXIT.unverified);
  expect(ended.stderr).toContain(why);
  const { stdout } = await loopfold(['show', '--last'], { cwd });
  expect(stdout).toContain(`    ${why}\n`);
  const { stdout: json } = await loopfold(['show', '--last', '--json'], { cwd });
  expect(JSON.parse(json)).toMatchObject({
    weaknesses: ['in-workspace'],
    because: ['the checks ran in the workspace, where the work can change what they rest on'],
  });
});

testInTurn('V15 a weak success ends with 0 where the run was started to accept it, and stays weak', async () => {
  const more = ['--check-in', 'workspace', '--accept', 'weak'];
  const { cwd, ended, result } = await ran({ 'src/sum.js': MENDED }, { check: 'L1:node --test', more });
  expect(ended.status).toBe(EXIT.success);
  expect(result).toMatchObject({
    verdict: 'success, weak',
    weaknesses: ['in-workspace'],
    outcome: { verified: { enough: true } },
  });
  // Said once more, by a process that has other flags.
  expect((await loopfold(['resume', result.run ?? ''], { cwd })).status).toBe(EXIT.success);
});

testInTurn('V1 where a checkout cannot be prepared, the run and its page say to the end what mends that', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] }, FILES);
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  const ended = await loopfold(['run', 'x', ...MODEL, '--verify', 'npm test', '--prepare', 'exit 3'], { cwd });
  expect(ended.status).toBe(EXIT.environment);
  const line = /^.*a checkout cannot be prepared, .* --provide, .* with --check-in workspace$/m;
  expect(ended.stderr).toMatch(line);
  expect((await loopfold(['show', '--last'], { cwd })).stdout).toMatch(line);
});
