import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { git } from '../git/repository.ts';
import { environment, folder, MAIN, MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const MIB = 1024 * 1024;
const FILES = { 'kept.txt': 'one\n', '.gitignore': '.loopfold\n' };
const write = { tool: 'write', arguments: { path: 'kept.txt', content: 'two\n' } };

/** A run that has changed one line. */
async function ran() {
  const cwd = await project({ answers: [{ calls: [write] }, { text: 'done' }] }, FILES);
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=start');
  const { run } = resultIn(await loopfold(['run', 'x', ...MODEL, '--output-format', 'json'], { cwd }));
  return { cwd, run: run ?? '' };
}

/** Adds one line of so many bytes to what the run has left: git stores it without compressing it, which is quick. */
async function withLargeFile(bytes: number) {
  const { cwd, run } = await ran();
  const options = { cwd, encoding: 'utf8', input: Buffer.alloc(bytes, 'a') } as const;
  const blob = execFileSync('git', ['-c', 'core.compression=0', 'hash-object', '-w', '--stdin'], options).trim();
  const entries = await git(cwd, 'ls-tree', `refs/loopfold/${run}/end`);
  const input = `${entries}100644 blob ${blob}\tlarge.txt\n`;
  const tree = execFileSync('git', ['mktree'], { cwd, encoding: 'utf8', input }).trim();
  await git(cwd, 'update-ref', `refs/loopfold/${run}/end`, tree);
  return { cwd, run };
}

/** What a shell prints that calls the program as `loopfold`, with `path` before the other programs. */
async function shell(script: string, cwd: string, path = ''): Promise<{ stdout: string; stderr: string }> {
  const env = environment({ NODE: process.execPath, MAIN });
  const defined = `loopfold() { "$NODE" "$MAIN" "$@"; }\n${script}`;
  const child = spawn('bash', ['-c', defined], { cwd, env: { ...env, PATH: `${path}:${env['PATH']}` } });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr };
}

/** A git that breaks off in the middle of a patch. */
async function breakingGit(): Promise<string> {
  const made = await folder();
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const broken = `printf 'diff --git a/kept.txt b/kept.txt\\n'; exit 128`;
  const script = `for word; do if [ "$word" = --binary ]; then ${broken}; fi; done`;
  await writeFile(join(made, 'git'), `#!/bin/sh\n${script}\nexec '${real}' "$@"\n`);
  await chmod(join(made, 'git'), 0o755);
  return made;
}

const unfinished = async (cwd: string) => (await readdir(cwd)).filter((name) => /draft|patch/.test(name));

describe('G10 a patch may be larger than what is kept of other output', () => {
  test('G10 it is piped and written whole, and git takes it', async () => {
    const { cwd, run } = await withLargeFile(66 * MIB);
    const said = 'echo "status $?"';
    const both = `loopfold diff ${run} > piped; ${said}; loopfold apply ${run} --patch it.patch; ${said}`;
    const { stdout } = await shell(`${both}; cmp piped it.patch && echo same`, cwd);
    expect(stdout).toBe('status 0\nstatus 0\nsame\n');
    expect((await stat(join(cwd, 'it.patch'))).size).toBeGreaterThan(66 * MIB);
    await git(cwd, 'checkout', '--quiet', '.');
    await git(cwd, 'apply', 'it.patch');
    expect((await stat(join(cwd, 'large.txt'))).size).toBe(66 * MIB);
    expect(await readFile(join(cwd, 'kept.txt'), 'utf8')).toBe('two\n');
  });

  test('G10 a reader that leaves ends it quietly, and JSON says that it is too large', async () => {
    const { cwd, run } = await withLargeFile(3 * MIB);
    const piped = `{ loopfold diff ${run} 2>errors; echo "status $?" >&2; } | head -n 1`;
    expect(await shell(`${piped}; grep -v 'from its start' errors`, cwd)).toEqual({
      stdout: 'diff --git a/kept.txt b/kept.txt\n',
      stderr: 'status 0\n',
    });
    const { stdout } = await loopfold(['diff', run, '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ patch: null, files: [{ path: 'kept.txt' }, { path: 'large.txt' }] });
  });
});

describe('G10 a patch that could not be finished is not taken for a whole one', () => {
  test('G10 on stdout it is said, with status 5; as a file there is nothing', async () => {
    const { cwd, run } = await ran();
    const path = await breakingGit();
    const piped = await shell(`loopfold diff ${run}; echo "status $?"`, cwd, path);
    expect(piped.stdout).toBe('diff --git a/kept.txt b/kept.txt\nstatus 5\n');
    expect(piped.stderr).toContain(
      'the patch on stdout is not whole, and must not be applied: git diff-tree: exit code 128',
    );
    const dashed = await shell(`loopfold apply ${run} --patch -; echo "status $?"`, cwd, path);
    expect(dashed).toEqual({ stdout: piped.stdout, stderr: expect.stringContaining('is not whole') });
    const written = await shell(`loopfold apply ${run} --patch it.patch; echo "status $?"`, cwd, path);
    expect(written).toEqual({ stdout: 'status 5\n', stderr: expect.stringContaining('it.patch was not written: git') });
    expect(await unfinished(cwd)).toEqual([]);
  });

  const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

  test.skipIf(!canMount)('G10 X4 on a full disk it is said, and nothing is left', async () => {
    const { cwd, run } = await withLargeFile(MIB);
    const script = 'mount -t tmpfs -o size=256k none "$1" && cd "$1" || exit\n';
    const small = await folder();
    const apply = `'${process.execPath}' '${MAIN}' -C '${cwd}' apply ${run} --patch it.patch; echo "status $?"; ls -A`;
    const said = spawnSync('unshare', ['-rm', 'sh', '-c', `${script}${apply}`, 'sh', small], {
      encoding: 'utf8',
      env: environment(),
    });
    expect(said.stdout).toBe('status 5\n');
    expect(said.stderr).toContain('it.patch cannot be written: ENOSPC');
    const full = await shell(`loopfold diff ${run} > /dev/full; echo "status $?"`, cwd);
    expect(full).toEqual({ stdout: 'status 5\n', stderr: expect.stringContaining('ENOSPC') });
  });
});

test('G10 no program that the settings of the workspace name writes or filters a patch', async () => {
  const { cwd, run } = await ran();
  const trace = join(await folder(), 'trace');
  const program = `sh -c 'echo ran >> ${trace}'`;
  await writeFile(join(cwd, '.gitattributes'), '* diff=own\n');
  for (const name of ['diff.external', 'diff.own.command', 'diff.own.textconv'])
    await git(cwd, 'config', name, program);
  await git(
    cwd,
    'diff-tree',
    '-p',
    '--ext-diff',
    '--textconv',
    ...['0', 'end'].map((n) => `refs/loopfold/${run}/${n}`),
  );
  expect(await readFile(trace, 'utf8')).toContain('ran\n');
  await writeFile(trace, '');
  expect((await loopfold(['diff', run], { cwd })).stdout).toContain('-one\n+two\n');
  expect((await loopfold(['diff', run, '--stat'], { cwd })).stdout).toContain('+1 −1');
  await loopfold(['apply', run, '--patch', 'it.patch'], { cwd });
  expect(await readFile(join(cwd, 'it.patch'), 'utf8')).toContain('-one\n+two\n');
  expect(await readFile(trace, 'utf8')).toBe('');
});
