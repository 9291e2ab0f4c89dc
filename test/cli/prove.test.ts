import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { thisProcess } from '../../src/log/holder.ts';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { git } from '../git/repository.ts';
import { testInTurn } from '../support/in-turn.ts';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const write = (path: string, content: string) => ({ calls: [{ tool: 'write', arguments: { path, content } }] });
const FILES = { 'test/check.sh': 'grep right value\n', value: 'wrong\n', '.gitignore': '.loopfold\nmodel.json\n' };

/** A run whose agent makes one change, and whose check passes then. */
async function ran(path: string, content: string, ...flags: readonly string[]) {
  const cwd = await project({ answers: [write(path, content), { text: 'done' }] }, FILES);
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  const words = [
    'run',
    'mend it',
    ...MODEL,
    '--verify',
    'L1:sh test/check.sh',
    '--check-in',
    'workspace',
    '--output-format',
    'json',
    ...flags,
  ];
  const ended = await loopfold(words, { cwd });
  expect(resultIn(ended).verdict).toBe('success, weak');
  return { cwd, run: resultIn(ended).run ?? '' };
}

testInTurn('V2 V3 prove says that work is proven, and removes what an earlier process has left', async () => {
  const { cwd, run } = await ran('value', 'right\n');
  const left = join(cwd, '.loopfold/proof/node_modules/loopfold-proof-killed');
  await mkdir(left, { recursive: true });
  const { status, stdout } = await loopfold(['prove'], { cwd });
  expect(stdout).toContain(`run ${run}: its end against its start\n`);
  expect(stdout).toContain('✓ L1 sh test/check.sh\n');
  expect(stdout).toContain('\ntests: none is known by name\n');
  expect(stdout).toMatch(/the run changed no ground\n[^]*\nproven: the checks pass\n$/);
  expect(status).toBe(EXIT.success);
  // Its owner is not known to be gone.
  expect(await readdir(join(cwd, '.loopfold/proof/node_modules'))).toEqual(['loopfold-proof-killed']);
  const gone = { ...thisProcess(), processStart: 'before' };
  await writeFile(`${left}.json`, JSON.stringify(gone));
  expect((await loopfold(['prove', run, '--json'], { cwd })).status).toBe(EXIT.success);
  expect(await readdir(join(cwd, '.loopfold/proof/node_modules'))).toEqual([]);
});

testInTurn('V2 V3 prove names the grounds that a run has changed, and what fails without them', async () => {
  const { cwd, run } = await ran('test/check.sh', 'exit 0\n');
  const { status, stdout } = await loopfold(['prove', '--last'], { cwd });
  expect(stdout).toMatch(/with the grounds of its start \([\da-f]{8}\)\n {2}✗ L1 sh test\/check.sh\n/);
  expect(stdout).toMatch(/the work as it is \([\da-f]{8}\)\n {2}✓ L1 sh test\/check.sh\n/);
  expect(stdout).toContain('grounds that the run changed, in the first leg\n  test/check.sh  restored\n');
  expect(stdout).toMatch(/\nnot proven: the checks fail on the work with the grounds of its start\n$/);
  expect(status).toBe(EXIT.unverified);
  const json = JSON.parse((await loopfold(['prove', run, '--json'], { cwd })).stdout);
  expect(json).toMatchObject({
    run,
    proven: false,
    doubts: ['base-leg'],
    legs: [
      { leg: 'base', passed: false },
      { leg: 'work', passed: true },
    ],
    grounds: [{ path: 'test/check.sh', how: 'restored' }],
    dependencies: { given: [], changed: [], trusted: false },
  });
  const released = await loopfold(['prove', run, '--unprotect', 'test'], { cwd });
  expect(released.stdout).toContain('  released by unprotect: test/check.sh\n');
  expect(released.status).toBe(EXIT.success);
});

const movedTo = (cwd: string, run: string, name: string, tree: string) =>
  git(cwd, 'update-ref', `refs/loopfold/${run}/${name}`, tree);
const treeOf = async (cwd: string, ref: string) => (await git(cwd, 'rev-parse', `${ref}^{tree}`)).trim();

testInTurn('V3 prove refuses an end that is not what the checks have passed on, and names both trees', async () => {
  const { cwd, run } = await ran('value', 'right\n');
  const [end, start] = [await treeOf(cwd, `refs/loopfold/${run}/end`), await treeOf(cwd, 'HEAD')];
  await movedTo(cwd, run, 'end', start);
  const { status, stderr } = await loopfold(['prove', run], { cwd });
  expect(status).toBe(EXIT.environment);
  expect(stderr).toContain(
    `refs/loopfold/${run}/end names tree ${start}, and the log has recorded that its checks have passed on tree ${end}.`,
  );
  expect(stderr).toContain(`git update-ref refs/loopfold/${run}/end ${end}`);
  await movedTo(cwd, run, 'end', end);
  expect((await loopfold(['prove', run], { cwd })).status).toBe(EXIT.success);
});

testInTurn('V3 prove goes by what the checks have passed on where files were added after that', async () => {
  const { cwd, run } = await ran('value', 'right\n');
  const end = await treeOf(cwd, `refs/loopfold/${run}/end`);
  await writeFile(join(cwd, 'report.txt'), 'left by a check\n');
  await writeFile(join(cwd, 'value'), 'right\n');
  await git(cwd, 'add', 'report.txt', 'value');
  await movedTo(cwd, run, 'end', (await git(cwd, 'write-tree')).trim());
  const { status, stdout } = await loopfold(['prove', run, '--json'], { cwd });
  expect(status).toBe(EXIT.success);
  expect(JSON.parse(stdout)).toMatchObject({
    work: { tree: end, note: '1 file was added after the checks had passed, and no part of the proof' },
  });
});

testInTurn('V3 prove refuses a start that is not what the log has of an isolated run', async () => {
  const { cwd, run } = await ran('value', 'right\n', '--isolate', 'worktree');
  const [end, start] = [await treeOf(cwd, `refs/loopfold/${run}/end`), await treeOf(cwd, `refs/loopfold/${run}/0`)];
  expect((await loopfold(['prove', run], { cwd })).status).toBe(EXIT.success);
  await movedTo(cwd, run, '0', end);
  const { status, stderr } = await loopfold(['prove', run], { cwd });
  expect(status).toBe(EXIT.environment);
  expect(stderr).toContain(
    `refs/loopfold/${run}/0 names tree ${end}, and the log has recorded that the run began with tree ${start}.`,
  );
});

testInTurn('V4 prove names the tests that turned green and those that are lost', async () => {
  const SUITE = `import test from 'node:test';\nimport assert from 'node:assert';\nimport { one } from './one.js';
test('is one', () => assert.equal(one, 1));\n`;
  const files = { '.gitignore': '.loopfold\nmodel.json\n', 'one.js': 'export const one = 2;\n', 'one.test.js': SUITE };
  const proved = async (source: string) => {
    const cwd = await project({ answers: [write('one.js', source), { text: 'done' }] }, files);
    await git(cwd, 'add', '--all');
    await git(cwd, 'commit', '--quiet', '--message=start');
    await loopfold(['run', 'mend it', ...MODEL, '--verify', 'L1:node --test'], { cwd });
    return loopfold(['prove'], { cwd });
  };
  const honest = await proved('export const one = 1;\n');
  expect(honest.stdout).toContain('\n  node --test: 1 turned green, 0 stay green, 0 new\n');
  expect(honest.stdout).toContain('    turned green: one.test.js > is one\n');
  expect(honest.status).toBe(EXIT.success);
  const cheat = await proved('process.exit(0);\nexport const one = 2;\n');
  expect(cheat.stdout).toContain('    no test ran\n    still red: one.test.js > is one (gone)\n');
  expect(cheat.stdout).toMatch(/\nnot proven: tests that its start had do not pass\n$/);
  expect(cheat.status).toBe(EXIT.unverified);
});

test('V3 prove of a run without checks says so', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] }, FILES);
  await loopfold(['run', 'say done', ...MODEL], { cwd });
  const { status, stderr } = await loopfold(['prove'], { cwd });
  expect(status).toBe(EXIT.environment);
  expect(stderr).toContain('it was started without checks, so there is nothing to run');
});
