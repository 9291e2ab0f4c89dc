import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CommandRequest, runCommand } from '../../src/actors/subprocess.ts';
import { absent } from '../support/absent.ts';
import { testInTurn } from '../support/in-turn.ts';
import { isDead } from '../support/is-dead.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'command-'));
});
afterAll(() => rm(directory, { recursive: true }));

const limits = { timeoutMs: 120_000, maxOutputBytes: 10_000, signal: new AbortController().signal };
const run = (command: string, request: Partial<CommandRequest> = {}) =>
  runCommand({ run: 'r-1', command, directory, ...limits, ...request });

const pidsIn = (text: string): number[] => [...text.matchAll(/pid (\d+)\n/g)].map(([, pid]) => Number(pid));

async function expectAllDead(output: string, count: number): Promise<void> {
  const pids = pidsIn(output);
  expect(pids).toHaveLength(count);
  expect(await Promise.all(pids.map(isDead))).toEqual(pids.map(() => true));
}

describe('a command that ends by itself', () => {
  test('says its exit code and what it printed on both streams, in order', async () => {
    const result = await run('echo one; echo two >&2; echo three; exit 3');
    expect(result).toMatchObject({ kind: 'exited', exitCode: 3, signal: null, output: 'one\ntwo\nthree\n' });
  });

  test('finds its input empty', async () => expect(await run('cat; echo end')).toMatchObject({ output: 'end\n' }));

  test('names the signal that ended it from elsewhere', async () =>
    expect(await run('kill -9 $$')).toMatchObject({ kind: 'exited', exitCode: null, signal: 'SIGKILL' }));

  test('a syntax error is output like any other', async () =>
    expect(await run('echo (')).toMatchObject({ kind: 'exited', output: expect.stringContaining('yntax error') }));

  test('what it leaves in the background is ended with it, with the pipe open or not', async () => {
    const result = await run('sleep 300 & echo pid $!; sleep 300 >/dev/null 2>&1 & echo pid $!');
    expect(result).toMatchObject({ kind: 'exited', exitCode: 0 });
    await expectAllDead('output' in result ? result.output : '', 2);
  });

  test('R4 a process that has left the group is ended with it, too', async () => {
    const result = await run("setsid sh -c 'echo pid $$; exec sleep 300' & while ! [ -e left ]; do sleep 0.01; done", {
      onOutput: () => void execFile('touch', [join(directory, 'left')]),
    });
    expect(result).toMatchObject({ kind: 'exited', exitCode: 0 });
    await expectAllDead('output' in result ? result.output : '', 1);
  });

  testInTurn('R4 a process that has left the group is ended by force, when it does not want to', async () => {
    const stubborn = 'trap "" TERM; echo pid $$; while true; do sleep 0.05; done';
    const result = await run(`setsid sh -c '${stubborn}' & while ! [ -e stubborn ]; do sleep 0.01; done`, {
      onOutput: () => void execFile('touch', [join(directory, 'stubborn')]),
    });
    await expectAllDead('output' in result ? result.output : '', 1);
  });

  test('R4 commands that run beside each other do not end the processes of one another', async () => {
    const waiting = run('while ! [ -e go ]; do sleep 0.01; done; echo went');
    await run('setsid sleep 300 & true');
    await writeFile(join(directory, 'go'), '');
    expect(await waiting).toMatchObject({ kind: 'exited', exitCode: 0, output: 'went\n' });
  });

  testInTurn('a process with an environment of its own keeps the pipe open, and is not waited for', async () => {
    const command = "env -i setsid sh -c 'echo pid $$; exec sleep 300' & while ! [ -e free ]; do sleep 0.01; done";
    const result = await run(command, {
      onOutput: () => void execFile('touch', [join(directory, 'free')]),
    });
    expect(result).toMatchObject({ kind: 'exited', exitCode: 0 });
    const [escaped = 0] = pidsIn('output' in result ? result.output : '');
    expect(await isDead(escaped)).toBe(false);
    process.kill(escaped, 'SIGKILL');
  });

  testInTurn('such a process does not keep ours from ending', async () => {
    const file = join(import.meta.dirname, '../../src/actors/subprocess.ts');
    const mark = join(directory, 'free-too');
    const host = `
      const { runCommand } = await import(${JSON.stringify(file)});
      const { writeFileSync } = await import('node:fs');
      const escapes = "env -i setsid sh -c 'echo pid $$; exec sleep 300'";
      const command = escapes + ' & while ! [ -e ${mark} ]; do sleep 0.01; done';
      const onOutput = () => writeFileSync(${JSON.stringify(mark)}, '');
      const { signal } = new AbortController();
      const request = { command, directory: '/', timeoutMs: 1e6, maxOutputBytes: 100, signal, onOutput };
      const { output } = await runCommand(request);
      process.stdout.write(output);`;
    const args = ['--input-type=module', '-e', host];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
    const [escaped = 0] = pidsIn(stdout);
    expect(await isDead(escaped)).toBe(false);
    process.kill(escaped, 'SIGKILL');
  });
});

describe('a command that is made to end', () => {
  testInTurn('B8 at its timeout, which is the time that it took, with what it printed so far', async () => {
    const result = await run('echo pid $$; sleep 300 & echo pid $!; wait', { timeoutMs: 1_000 });
    expect(result).toMatchObject({ kind: 'timed_out', durationMs: 1_000, took: { wallMs: 1_000 } });
    await expectAllDead('output' in result ? result.output : '', 2);
  });

  test('T11 at the signal, the whole group of it', async () => {
    const stop = new AbortController();
    let printed = '';
    const onOutput = (text: string) => {
      printed += text;
      if (pidsIn(printed).length === 2) stop.abort('abort');
    };
    const command = "echo pid $$; sh -c 'echo pid $$; sleep 300; :' & wait";
    const result = await run(command, { signal: stop.signal, onOutput });
    expect(result.kind).toBe('stopped');
    await expectAllDead('output' in result ? result.output : '', 2);
  });

  test('T11 by force, when it does not want to', async () => {
    const stop = new AbortController();
    const command = 'trap "" TERM; echo pid $$; while true; do sleep 0.05; done';
    const result = await run(command, { signal: stop.signal, onOutput: () => stop.abort('abort') });
    expect(result.kind).toBe('stopped');
    await expectAllDead('output' in result ? result.output : '', 1);
  });

  test('by a gentle signal first, so that it can tidy up', async () => {
    const stop = new AbortController();
    const command = 'trap "echo tidied; exit 0" TERM; echo ready; while true; do sleep 0.05; done';
    const result = await run(command, { signal: stop.signal, onOutput: () => stop.abort('abort') });
    expect(result).toMatchObject({ kind: 'stopped', output: expect.stringContaining('tidied') });
  });

  test('before it begins, when the signal has already been given', async () => {
    const result = await run('touch started', { signal: AbortSignal.abort('pause') });
    expect(result).toEqual({ kind: 'stopped', output: '', durationMs: 0 });
    expect(await run('ls')).not.toMatchObject({ output: expect.stringContaining('started') });
  });

  testInTurn('when our own process ends, however stubborn it is', async () => {
    const file = join(import.meta.dirname, '../../src/actors/subprocess.ts');
    const host = `
      const { runCommand } = await import(${JSON.stringify(file)});
      const command = 'trap "" TERM; echo pid $$; while true; do sleep 0.05; done';
      const onOutput = (text) => { process.stdout.write(text, () => process.exit(0)); };
      const { signal } = new AbortController();
      const limits = { timeoutMs: 1e6, maxOutputBytes: 100 };
      await runCommand({ run: 'r-1', command, directory: '/', ...limits, signal, onOutput });`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', host]);
    await vi.waitFor(() => expectAllDead(stdout, 1), { timeout: 120_000 });
  });

  testInTurn('when our own process is killed and can do nothing any more', async () => {
    const file = join(import.meta.dirname, '../../src/actors/subprocess.ts');
    const host = `
      const { runCommand } = await import(${JSON.stringify(file)});
      const { signal } = new AbortController();
      const limits = { timeoutMs: 1e6, maxOutputBytes: 100, signal };
      await runCommand({ run: 'r-1', command: 'echo pid $$', directory: '/', ...limits });
      const command = 'trap "" TERM; sleep 1000 & echo pid $!; echo pid $$; while true; do sleep 0.05; done';
      let printed = '';
      const onOutput = (text) => {
        printed += text;
        const end = () => process.kill(process.pid, 'SIGKILL');
        if (printed.split('pid').length === 3) process.stdout.write(printed, end);
      };
      await runCommand({ run: 'r-1', command, directory: '/', ...limits, onOutput });`;
    const killed = promisify(execFile)(process.execPath, ['--input-type=module', '-e', host]);
    const { stdout, signal } = await killed.then(
      ({ stdout: text }) => ({ stdout: text, signal: null }),
      (error: { stdout: string; signal: string }) => error,
    );
    expect(signal).toBe('SIGKILL');
    await vi.waitFor(() => expectAllDead(stdout, 2), { timeout: 120_000 });
  });

  test('R4 when our own process is killed, in a session of its own, too', async () => {
    const file = join(import.meta.dirname, '../../src/actors/subprocess.ts');
    const host = `
      const { runCommand } = await import(${JSON.stringify(file)});
      const { signal } = new AbortController();
      const command = "setsid sh -c 'echo pid $$; exec sleep 1000' & sleep 1000";
      const end = () => process.kill(process.pid, 'SIGKILL');
      const onOutput = (text) => process.stdout.write(text, end);
      const limits = { timeoutMs: 1e6, maxOutputBytes: 100 };
      await runCommand({ run: 'r-1', command, directory: '/', ...limits, signal, onOutput });`;
    const killed = promisify(execFile)(process.execPath, ['--input-type=module', '-e', host]);
    const { stdout } = await killed.catch((error: { stdout: string }) => error);
    await vi.waitFor(() => expectAllDead(stdout, 1), { timeout: 120_000 });
  });

  testInTurn('when our own process ends while it is already being asked to', async () => {
    const file = join(import.meta.dirname, '../../src/actors/subprocess.ts');
    const host = `
      const { runCommand } = await import(${JSON.stringify(file)});
      const stubborn = 'trap "" TERM; while true; do sleep 0.05; done';
      const command = \`sh -c '\${stubborn}' >/dev/null 2>&1 & echo pid $!; sleep 0.2\`;
      setTimeout(() => process.exit(0), 700);
      const onOutput = (text) => process.stdout.write(text);
      const { signal } = new AbortController();
      const limits = { timeoutMs: 1e6, maxOutputBytes: 100 };
      await runCommand({ run: 'r-1', command, directory: '/', ...limits, signal, onOutput });`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', host]);
    await vi.waitFor(() => expectAllDead(stdout, 1), { timeout: 120_000 });
  });
});

describe('a command that cannot start', () => {
  const gone = absent('at all');

  testInTurn.each([
    ['its directory is not there', 'true', { directory: gone }, gone],
    ['it holds a null byte', 'true\0', {}, 'null bytes'],
    ['it is longer than the system allows', 'x'.repeat(3_000_000), {}, 'E2BIG'],
  ])('says so: %s', async (_, command, request, message) =>
    expect(await run(command, request)).toEqual({ kind: 'not_started', message: expect.stringContaining(message) }),
  );
});

describe('what a command sees and shows', () => {
  test('of our environment only what every command needs, and what the request adds', async () => {
    vi.stubEnv('SOME_API_KEY', 'secret');
    vi.stubEnv('LC_TIME', 'C');
    const result = await run('env', { environment: { ADDED: 'yes' } });
    vi.unstubAllEnvs();
    const names = 'output' in result ? [...result.output.matchAll(/^(\w+)=/gm)].map(([, name]) => name) : [];
    expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME', 'LC_TIME', 'ADDED']));
    expect(names).not.toContain('SOME_API_KEY');
  });

  test('R4 a command names its run in its mark, and within a command keeps the mark of the outer one', async () => {
    vi.stubEnv('LOOPFOLD_COMMAND', 'outer.1;');
    const [one, two] = [await run('echo $LOOPFOLD_COMMAND'), await run('echo $LOOPFOLD_COMMAND')];
    vi.unstubAllEnvs();
    const marks = [one, two].map((result) => ('output' in result ? result.output : ''));
    expect(marks).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^outer\.1;[0-9a-f]{32}\.\d+@r-1;\n$/)),
    );
    expect(new Set(marks).size).toBe(2);
  });

  test('long output is kept at both ends, and none of it is missed by who listens', async () => {
    let printed = 0;
    const result = await run('echo first; seq 100000; echo last', {
      onOutput: (text) => void (printed += text.length),
    });
    const output = 'output' in result ? result.output : '';
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(10_000);
    expect(output).toMatch(/^first\n1\n2\n[^]*\n\[… \d+ bytes left out …\]\n[^]*\n100000\nlast\n$/);
    expect(printed).toBe('first\nlast\n'.length + 588_895);
  });

  test('a character that arrives in pieces is one character', async () =>
    expect(await run("printf '\\303'; sleep 0.1; printf '\\244'")).toMatchObject({ output: 'ä' }));
});
