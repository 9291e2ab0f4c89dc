import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { runGit } from '../../src/git/process/git-process.ts';
import { gone, standInGit, WITH_CHILD } from './stand-in-git.ts';

const PATIENT_MS = 120_000;
const ROOMY_BYTES = 1024 * 1024;

async function program(lines: string) {
  const { call, ...made } = await standInGit(lines);
  return { ...made, call: { ...call, timeoutMs: PATIENT_MS, maxOutputBytes: ROOMY_BYTES } };
}

test('an ending has the exit code and all that was printed, as bytes', async () => {
  const { call } = await program(`cat; printf 'b\\377' ; printf 'no' >&2; exit 3`);
  const ending = await runGit({ ...call, input: Buffer.from('a\0') });
  expect(ending).toEqual({
    kind: 'exited',
    exitCode: 3,
    stdout: Buffer.from('a\0b\xff', 'latin1'),
    stderr: Buffer.from('no'),
  });
});

test('input that is not read is no failure', async () => {
  const { call } = await program('exec 0<&-; exit 0');
  expect(await runGit({ ...call, input: Buffer.alloc(ROOMY_BYTES) })).toMatchObject({ kind: 'exited', exitCode: 0 });
});

test('without input it reads the end at once', async () => {
  const { call } = await program('cat');
  expect(await runGit(call)).toMatchObject({ kind: 'exited', stdout: Buffer.from('') });
});

describe('what it started ends with it', () => {
  async function endsWhenStopped({ call, told }: Awaited<ReturnType<typeof program>>): Promise<void> {
    const stop = new AbortController();
    const ending = runGit({ ...call, signal: stop.signal });
    await vi.waitUntil(async () => (await told()) !== '', { timeout: PATIENT_MS });
    stop.abort('abort');
    expect(await ending).toEqual({ kind: 'stopped' });
    await gone(await told());
  }

  test('when it is told to stop', async () => {
    const running = await program(`${WITH_CHILD}; wait`);
    await endsWhenStopped(running);
  });

  test('when it does not want to', async () => {
    const running = await program(`trap '' TERM; echo $$ > "$FOLDER/told"; while :; do sleep 600; done`);
    await endsWhenStopped(running);
  });

  test('when it takes too long', async () => {
    const { call } = await program('sleep 600 & wait');
    // Its child holds the output open.
    expect(await runGit({ ...call, timeoutMs: 100 })).toEqual({ kind: 'timed_out' });
  });

  test('when it prints too much', async () => {
    const { call, told } = await program(`${WITH_CHILD}; while :; do echo more; done`);
    const ending = await runGit({ ...call, maxOutputBytes: 1_000 });
    expect(ending).toEqual({ kind: 'failed', reason: 'it printed more than 1000 bytes' });
    await gone(await told());
  });

  test('when this process exits, and it may tidy up before', async () => {
    const { call, folder, told } = await program(
      `trap 'echo tidy > "$FOLDER/tidied"; exit 1' TERM\n${WITH_CHILD}; wait`,
    );
    const module = JSON.stringify(join(import.meta.dirname, '../../src/git/process/git-process.ts'));
    const script = `import { runGit } from ${module};
      void runGit({ args: [], environment: process.env, timeoutMs: ${PATIENT_MS}, maxOutputBytes: 1000 });
      process.stdin.once('data', () => process.exit(0));`;
    const environment = { ...process.env, ...call.environment };
    const node = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      env: environment,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    await vi.waitUntil(async () => (await told()) !== '', { timeout: PATIENT_MS });
    node.stdin.end('exit\n');
    await once(node, 'exit');
    await gone(await told());
    await expect.poll(() => readFile(join(folder, 'tidied'), 'utf8').catch(() => '')).toBe('tidy\n');
  });
});

test('a call that was stopped before starts nothing', async () => {
  const { call, told } = await program('echo started > "$FOLDER/told"');
  expect(await runGit({ ...call, signal: AbortSignal.abort() })).toEqual({ kind: 'stopped' });
  expect(await told()).toBe('');
});

test('no git, a killed git and an argument that no process can get are three endings', async () => {
  const { call, folder } = await program('kill -KILL $$');
  expect(await runGit(call)).toEqual({ kind: 'failed', reason: 'it was ended by SIGKILL' });
  const refused = await runGit({ ...call, args: ['a\0b'] });
  expect(refused).toMatchObject({
    kind: 'failed',
    reason: expect.stringContaining('null'),
  });
  expect(await runGit({ ...call, environment: { PATH: join(folder, 'none') } })).toEqual({ kind: 'missing' });
});

test('where no file is left for a pipe, git is not started, and that is a fault of the environment', async () => {
  const [processes, faults, git] = ['git/process/git-process', 'log/environment-fault', 'git/process/git'].map(
    (module) => JSON.stringify(join(import.meta.dirname, `../../src/${module}.ts`)),
  );
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
