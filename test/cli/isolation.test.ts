import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { access, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../git/repository.ts';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { testInTurn } from '../support/in-turn.ts';
import { folder, MODEL, Program, project } from './program.ts';
import { loopfold } from './warm-process.ts';

const shell = (command: string) => ({ tool: 'shell', arguments: { command } });
const calling = (...commands: readonly string[]) => ({
  answers: [...commands.map((command) => ({ calls: [shell(command)] })), { text: 'done' }, { text: 'done' }],
});
const isolated = ['run', ...MODEL, '--isolate', 'worktree', '--output-format', 'json', 'Do it.'] as const;
const worktrees = (cwd: string) => readdir(join(cwd, '.loopfold/worktrees'));
const refs = (cwd: string) => git(cwd, 'for-each-ref', '--format=%(refname)');

/** A run that is killed while its command runs. */
async function killed(cwd: string): Promise<void> {
  const begun = join(cwd, 'begun');
  const program = new Program(isolated, { cwd });
  await until(begun);
  program.signal('SIGKILL');
  await program.ended;
  await rm(begun);
}

async function until(file: string): Promise<void> {
  while (
    !(await access(file).then(
      () => true,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Waits until a worktree is being made: until its record, its folder or its index is there. */
async function untilThere(cwd: string, kind: '.json' | '' | '.index'): Promise<void> {
  const found = (name: string) => (kind === '' ? !name.includes('.') : name.endsWith(kind));
  while (!(await worktrees(cwd).catch(() => [])).some(found)) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Says in the records of all worktrees when they were used last. */
async function lastUsed(cwd: string, since: string): Promise<void> {
  for (const name of (await worktrees(cwd)).filter((file) => file.endsWith('.json'))) {
    const path = join(cwd, '.loopfold/worktrees', name);
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), since }));
  }
}

async function openRuns(cwd: string): Promise<readonly string[]> {
  const { stdout } = await loopfold(['runs', '--json'], { cwd });
  const runs = JSON.parse(stdout) as readonly { readonly run: string; readonly outcome: unknown }[];
  return runs.flatMap(({ run, outcome }) => (outcome === null ? [run] : []));
}

const busy = (cwd: string) => calling(`echo made > made.txt; touch ${cwd}/begun; sleep 600`);

async function busyProject(): Promise<string> {
  const cwd = await project({ answers: [] }, { 'a.txt': '1', '.gitignore': 'begun\n' });
  await writeFile(join(cwd, 'model.json'), JSON.stringify(busy(cwd)));
  return cwd;
}

describe('X4 --isolate worktree', () => {
  test('X4 two processes in one repository at once do not see each other', async () => {
    const cwd = await project({ answers: [] }, { 'a.txt': '1', '.gitignore': 'meet/\nmodel.json\n', 'meet/x': '' });
    const meet = `touch ${cwd}/meet/$$; while [ $(ls ${cwd}/meet | wc -l) -lt 3 ]; do sleep 0.05; done`;
    const command = `${meet}; ls; echo $$ > a.txt`;
    await writeFile(join(cwd, 'model.json'), JSON.stringify(calling(command, 'sleep 0.2; cat a.txt')));
    const ends = await Promise.all([loopfold(isolated, { cwd }), loopfold(isolated, { cwd })]);
    expect(ends.map(({ status }) => status)).toEqual([EXIT.success, EXIT.success]);
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('1');
    const runs = ends.map(({ stdout }) => JSON.parse(stdout.trim()).run as string);
    const written = await Promise.all(
      runs.map((run) => git(cwd, 'cat-file', 'blob', `refs/loopfold/${run}/end:a.txt`)),
    );
    expect(new Set(written).size).toBe(2);
    expect(await worktrees(cwd)).toEqual([]);
  });

  testInTurn('X4 what it worked in is on its page', async () => {
    const cwd = await project(calling('true'), { '.gitignore': 'node_modules/', 'node_modules/x': '' });
    await loopfold(isolated, { cwd });
    const { stdout } = await loopfold(['show'], { cwd });
    expect(stdout).toMatch(/isolated +in a worktree made from \S+/);
    expect(stdout).toMatch(/node_modules by (hard links|copy on write)/);
  });

  testInTurn('X4 a worktree from HEAD has the commit on its page, and without a worktree it is refused', async () => {
    const cwd = await project(calling('cat a.txt > seen.txt'), { 'a.txt': 'committed' });
    await git(cwd, 'add', '--all');
    await git(cwd, 'commit', '--quiet', '--message=the first');
    await writeFile(join(cwd, 'a.txt'), 'changed');
    const { status, stderr } = await loopfold(['run', ...MODEL, '--isolate-from', 'HEAD', 'Do it.'], { cwd });
    expect([status, stderr]).toEqual([EXIT.usage, expect.stringContaining('--isolate worktree')]);
    await loopfold([...isolated.slice(0, -1), '--isolate-from', 'HEAD', 'Do it.'], { cwd });
    const { stdout } = await loopfold(['show'], { cwd });
    const head = (await git(cwd, 'rev-parse', 'HEAD')).slice(0, 12);
    expect(stdout).toMatch(
      new RegExp(`isolated +in a worktree made from \\S+, commit ${head}, without what was not committed`),
    );
    expect((await loopfold(['apply', '--last'], { cwd })).status).toBe(EXIT.success);
    expect(await readFile(join(cwd, 'seen.txt'), 'utf8')).toBe('committed');
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('changed');
  });

  testInTurn('X4 a run that is killed is resumed in its worktree', async () => {
    const cwd = await busyProject();
    await killed(cwd);
    expect(await worktrees(cwd)).toHaveLength(3);
    const kept = await loopfold(['gc', '--json'], { cwd });
    expect(JSON.parse(kept.stdout)).toMatchObject({ removed: [], kept: [{ because: 'its run can be resumed' }] });
    const { status } = await loopfold(['resume'], { cwd });
    expect(status).toBe(EXIT.success);
    expect(await refs(cwd)).toMatch(/loopfold\/\S+\/end/);
    expect(await worktrees(cwd)).toEqual([]);
  });

  testInTurn('X4 a worktree that is deleted under a run is a fault of the environment', async () => {
    const cwd = await project(calling('rm -rf "$PWD"'));
    const { status, stdout } = await loopfold(isolated, { cwd });
    expect(status).toBe(EXIT.environment);
    expect(JSON.parse(stdout)).toMatchObject({
      exit: EXIT.environment,
      next: [expect.stringContaining('resume'), expect.anything()],
    });
    expect((await loopfold(['resume'], { cwd })).stderr).toContain('made again');
  });
});

describe('X4 gc', () => {
  testInTurn('X4 removes what runs have left that are gone, and says how much', async () => {
    const cwd = await busyProject();
    await killed(cwd);
    for (const path of ['log.db', 'log.db-wal', 'log.db-shm', 'log.db.heads'])
      await rm(join(cwd, '.loopfold', path), { recursive: true, force: true });
    expect((await loopfold(['gc'], { cwd })).stderr).toContain('no log has its run');
    await lastUsed(cwd, '2026-01-01T00:00:00.000Z');
    const dry = await loopfold(['gc', '--dry-run'], { cwd });
    expect(dry.stdout).toMatch(/would remove \S+ of run \S+: its log is gone, \d+\.\d MiB/);
    expect(await worktrees(cwd)).toHaveLength(3);
    expect((await loopfold(['gc'], { cwd })).stdout).toMatch(/^removed /);
    expect(await worktrees(cwd)).toEqual([]);
    expect((await loopfold(['gc'], { cwd })).stdout).toBe('nothing is left over\n');
  });

  testInTurn('X4 whatever a kill leaves while a worktree is made has a record, and is removed', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`n/node_modules/${index}/i.js`, '1']));
    const cwd = await project(calling('true'), { 'a.txt': '1', '.gitignore': 'node_modules/\n', ...files });
    for (const kind of ['.json', '', '.index'] as const) {
      const program = new Program(isolated, { cwd });
      await untilThere(cwd, kind);
      program.signal('SIGKILL');
      await program.ended;
      const left = (await worktrees(cwd)).map((name) => name.replace(/\..*/, ''));
      for (const name of left) await access(join(cwd, '.loopfold/worktrees', `${name}.json`));
    }
    for (const run of await openRuns(cwd)) await loopfold(['abort', run], { cwd });
    await loopfold(['gc'], { cwd });
    expect(await worktrees(cwd)).toEqual([]);
  });

  testInTurn('X4 the next isolated run removes them too', async () => {
    const cwd = await busyProject();
    await killed(cwd);
    await loopfold(['abort', '--last'], { cwd });
    await writeFile(join(cwd, 'model.json'), JSON.stringify(calling('true')));
    await loopfold(isolated, { cwd });
    expect(await worktrees(cwd)).toEqual([]);
  });

  test('X4 outside git there is nothing to remove', async () => {
    const { status, stderr } = await loopfold(['gc'], { cwd: await folder() });
    expect([status, stderr]).toEqual([EXIT.environment, expect.stringContaining('no git work tree')]);
  });
});

test('X4 what cannot be isolated is refused before a run begins', async () => {
  const cwd = await project(calling('true'), { '.gitignore': 'ignored/\n', 'ignored/a.txt': '' });
  const outside = await project(calling('true'), {}, false);
  const bare = await folder();
  await once(spawn('git', ['init', '--quiet', '--bare', bare]), 'close');
  await writeFile(join(bare, 'model.json'), JSON.stringify(calling('true')));
  for (const [where, said, next] of [
    [outside, 'git init', '--isolate none'],
    [bare, 'a bare repository', 'Run in a clone or a worktree of it'],
    [join(cwd, 'ignored'), 'git ignores', '--isolate none'],
  ] as const) {
    const model = ['-m', `script:${join(cwd, 'model.json')}`];
    const { status, stderr } = await loopfold(['run', ...model, '--isolate', 'worktree', 'Do it.'], { cwd: where });
    expect([status, stderr]).toEqual([EXIT.environment, expect.stringContaining(said)]);
    expect(stderr).toContain(next);
  }
  await expect(stat(join(outside, '.loopfold'))).rejects.toThrow('ENOENT');
  const unknown = await loopfold(['run', ...MODEL, '--isolate', 'elsewhere', 'Do it.'], { cwd });
  expect([unknown.status, unknown.stderr]).toEqual([EXIT.usage, expect.stringContaining('none or worktree')]);
});

testInTurn('X4 show suggests each command once after dependencies were changed', async () => {
  const files = { '.gitignore': '.loopfold\nnode_modules\n', 'a.txt': '1\n', 'node_modules/x/i.js': '1\n' };
  const cwd = await project(calling('echo 2 > a.txt; echo spoiled > node_modules/x/i.js'), files);
  await loopfold(isolated, { cwd });
  const { stderr } = await loopfold(['show', '--last'], { cwd });
  const next = stderr.split('\n').filter((line) => line.startsWith('next'));
  expect(next.filter((line) => line.includes(' diff '))).toHaveLength(1);
});
