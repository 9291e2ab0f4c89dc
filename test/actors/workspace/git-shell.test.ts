import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInShell } from '../../../src/actors/workspace/git-shell.ts';
import { absent } from '../../support/absent.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { gone, standInGit } from './stand-in-git.ts';

const LIMITS = { timeoutMs: 120_000, maxOutputBytes: 1024 * 1024 };

/** A program that is found as git, which says what its parent is: the shell, as every git is a process of its own. */
async function program(lines: string) {
  const { call, folder } = await standInGit(lines);
  const run = (args: readonly string[] = [], input?: Uint8Array) => runInShell({ ...call, ...LIMITS, args, input });
  const said = async (...asked: Parameters<typeof run>) => {
    const ending = await run(...asked);
    return ending?.kind === 'exited' ? Buffer.from(ending.stdout).toString('latin1') : JSON.stringify(ending);
  };
  return { run, said, folder };
}

const PARENT = `sed -n 's/^PPid:\\t//p' /proc/$$/status`;

test('calls after each other share a shell, and get what is theirs', async () => {
  const { said } = await program(`${PARENT}; echo "$@"; cat`);
  const [parent, ...rest] = (await said(['one', "it's", 'a\nb $HOME'], Buffer.from('\0\xff%\\n', 'latin1'))).split(
    '\n',
  );
  expect(rest.join('\n')).toBe("one it's a\nb $HOME\n\0\xff%\\n");
  expect((await said(['two'])).split('\n')).toEqual([parent, 'two', '']);
});

testInTurn('calls at the same time have a shell each', async () => {
  const { said } = await program(`${PARENT}; sleep 1`);
  const parents = await Promise.all([said(), said(), said()]);
  expect(new Set(parents).size).toBe(3);
});

test('what an earlier call has left behind prints nothing into a later one', async () => {
  const { said, folder } = await program(
    'if [ "$1" = second ]; then echo second; exit; fi\n' +
      '(while [ ! -e "$FOLDER/stop" ]; do echo noise; sleep 0.01; done; echo > "$FOLDER/told") & echo first',
  );
  expect(await said(['first'])).toMatch(/^(noise\n)*first\n(noise\n)*$/);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await writeFile(join(folder, 'stop'), '');
  await expect.poll(() => readFile(join(folder, 'told'), 'utf8').catch(() => '')).toBe('\n');
  expect(await said(['second'])).toBe('second\n');
});

test('a program gets its own environment whole, whatever its shell was started with', async () => {
  const { call } = await standInGit('/usr/bin/tr "\\0" "\\n" < /proc/$$/environ');
  const { PATH } = call.environment;
  const given = async (environment: NodeJS.ProcessEnv) => {
    const ending = await runInShell({ ...LIMITS, args: [], environment });
    if (ending?.kind !== 'exited') throw new Error(JSON.stringify(ending));
    return Buffer.from(ending.stdout).toString().split('\n').slice(0, -1).toSorted();
  };
  await given({ PATH, GONE: 'x', CHANGED: '1', SAME: 's' });
  const environment = { PATH, CHANGED: "it's $2", SAME: 's', ADDED: 'a=b', PWD: absent(), EMPTY: '' };
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  expect(await given(environment)).toEqual(variables.toSorted());
  const odd = { PPID: '7', 'npm_config_@scope:registry': 'r', 'BASH_FUNC_f%%': '() { :; }', IFS: 'x' };
  const more = Object.entries(odd).map(([name, value]) => `${name}=${value}`);
  expect(await given({ ...environment, ...odd })).toEqual([...variables, ...more].toSorted());
});

test('a program is found without a PATH where the system has its own', async () => {
  const ending = await runInShell({ ...LIMITS, args: ['--version'], environment: {} });
  expect(ending).toMatchObject({ kind: 'exited', exitCode: 0 });
});

testInTurn('shells that were ended by someone else are replaced', async () => {
  const { said } = await program(`${PARENT}; sleep 0.5`);
  const shells = await Promise.all(Array.from({ length: 4 }, () => said()));
  for (const shell of shells) process.kill(Number(shell), 'SIGKILL');
  for (const shell of shells) await gone(shell);
  expect(await said()).toMatch(/^\d+\n$/);
});

test.each([
  ['what holds a null byte', ['a\0b'], undefined],
  ['a long input', [], Buffer.alloc(70_000)],
  ['long arguments', ['x'.repeat(70_000)], undefined],
])('%s is no command for a shell', async (_, args, input) => {
  const { run } = await program('exit 0');
  expect(await run(args, input)).toBeNull();
});

test('a process ends though its shells wait, and they end with it, also if it is killed', async () => {
  const { folder } = await standInGit(PARENT);
  const module = JSON.stringify(join(import.meta.dirname, '../../../src/actors/workspace/git-shell.ts'));
  const script = (after: string) => `import { runInShell } from ${module};
    const { stdout } = await runInShell({ args: [], environment: process.env, timeoutMs: 60_000, maxOutputBytes: 99 });
    process.stdout.write(stdout);
    ${after}`;
  const environment = { ...process.env, PATH: `${folder}:${process.env['PATH']}`, FOLDER: folder };
  for (const after of ['', 'setInterval(() => {}, 1_000);']) {
    const node = spawn(process.execPath, ['--input-type=module', '--eval', script(after)], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(node.stdout, 'data')) as [Buffer];
    if (after !== '') node.kill('SIGKILL');
    await once(node, 'exit');
    await gone(said.toString());
  }
});

test('where no file is left for a pipe, git is not started, and that is a fault of the environment', async () => {
  const [processes, faults, git] = [
    'actors/workspace/git-process',
    'log/environment-fault',
    'actors/workspace/git',
  ].map((module) => JSON.stringify(join(import.meta.dirname, `../../../src/${module}.ts`)));
  const script = `import { openSync } from 'node:fs';
    import { runGit } from ${processes};
    import { environmentFault } from ${faults};
    import { GitError } from ${git};
    try { for (;;) openSync('/dev/null'); } catch {}
    const ending = await runGit({ args: [], environment: process.env, timeoutMs: 60_000, maxOutputBytes: 99 });
    const fault = environmentFault(new GitError('git_failed', 'status', ending.reason ?? ''));
    console.log(JSON.stringify({ ending, fault: fault?.message }));`;
  const node = [process.execPath, '--input-type=module', '--eval', script];
  const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', ...node], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual({
    ending: { kind: 'failed', reason: 'spawn git EMFILE' },
    fault: 'git status: spawn git EMFILE',
  });
});
