import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { onceThenNow } from '../../src/cli/terminal/stop-signals.ts';
import { bundled } from '../support/bundled.ts';
import { testInTurn } from '../support/in-turn.ts';
import { loopfold, MODEL, Program, project, resultIn, Terminal } from './program.ts';

const call = (command: string) => ({ calls: [{ tool: 'shell', arguments: { command } }] });
/** Prints its process id, and waits to be stopped. */
const WAITS = { answers: [call('echo $$ > pid; exec sleep 60'), { text: 'done' }] };
const pidIn = (cwd: string) =>
  vi.waitFor(async () => Number(await readFile(join(cwd, 'pid'), 'utf8')) || Promise.reject(new Error('not yet')), {
    timeout: 120_000,
  });
const run = (cwd: string, ...more: string[]) => new Program(['run', 'x', ...MODEL, ...more], { cwd });

/** Each starts the program several times, side by side. */

describe.concurrent('a signal pauses a run, and it can be resumed', () => {
  testInTurn.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends with %i, records the pause and leaves no process behind', async ([signal, status]) => {
    const cwd = await project(WAITS, {}, false);
    const program = run(cwd, '--output-format', 'stream-json');
    const pid = await pidIn(cwd);
    program.signal(signal);
    const ended = await program.ended;
    expect(ended.status).toBe(status);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(resultIn(ended)).toMatchObject({ exit: status, state: 'paused', outcome: null });
    const types = ended.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types.slice(-2)).toEqual(['run.paused', 'result']);
    expect(types).toContain('tool.interrupted');
    expect(ended.stderr).toMatch(/next .* resume \w{8}/);
    expect((await loopfold(['runs'], { cwd })).stdout).toContain('paused');
  });

  testInTurn('a paused iteration is resumed where it was, with its attempt', async () => {
    const cwd = await project(WAITS);
    const program = run(cwd, '--verify', 'test -f pid', '--accept', 'verified');
    await pidIn(cwd);
    program.signal('SIGINT');
    expect((await program.ended).status).toBe(130);
    const resumed = await loopfold(['resume', '--output-format', 'json'], { cwd });
    expect(resumed.status).toBe(0);
    const result = resultIn(resumed);
    expect(result).toMatchObject({ outcome: { ending: 'success' }, iterations: [{ iteration: 0, passed: true }] });
    // The output names the step that continues, although it began before the pause.
    expect(resumed.stderr).toMatch(/resumed.*\n {2}step 2 {2}done\n/);
    const { stdout } = await loopfold(['events', result.run ?? ''], { cwd });
    expect(stdout).toMatch(/run\.paused +by signal/);
    expect(stdout).toMatch(/run\.resumed/);
  });

  testInTurn('a second Ctrl-C ends the process at once with 130, and prints a result', async () => {
    const cwd = await project({ answers: [call('trap "" TERM; echo $$ > pid; sleep 60; true'), { text: 'done' }] });
    const program = run(cwd, '--output-format', 'json');
    const pid = await pidIn(cwd);
    program.signal('SIGINT');
    await program.shows('once more to stop at once');
    program.signal('SIGINT');
    const ended = await program.ended;
    expect(ended.status).toBe(130);
    expect(resultIn(ended)).toMatchObject({
      exit: 130,
      state: 'lost',
      run: expect.any(String),
      next: [expect.stringContaining('resume')],
    });
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 120_000 });
    expect((await loopfold(['runs'], { cwd })).stdout).toContain('interrupted');
    expect((await loopfold(['resume'], { cwd })).status).toBe(0);
  });
});

describe.concurrent('a signal at any other time', () => {
  const arrives = (file: string) => vi.waitFor(() => access(file), { timeout: 120_000 });

  testInTurn.for([
    ['json', 'SIGINT', 130],
    ['stream-json', 'SIGTERM', 143],
  ] as const)('before there is a run: a %s result, and nothing is left behind', async ([format, signal, status]) => {
    const source =
      "import { writeFileSync } from 'node:fs'; writeFileSync('loading', ''); await new Promise((done) => setTimeout(done, 60_000)); export default 1;";
    const cwd = await project({ answers: [] }, { 'slow.mjs': source }, false);
    const program = new Program(['run', 'x', '-m', 'script:slow.mjs', '--output-format', format], { cwd });
    await arrives(join(cwd, 'loading'));
    program.signal(signal);
    const ended = await program.ended;
    expect(ended.status).toBe(status);
    expect(resultIn(ended)).toMatchObject({
      exit: status,
      state: 'failed',
      run: null,
      error: expect.stringContaining(signal),
    });
    await expect(access(join(cwd, '.loopfold'))).rejects.toThrow('ENOENT');
  });

  testInTurn('while a provider asks for patience: it is told in words, and the wait is left at once', async () => {
    const error = bundled('src/actors/model/model.ts');
    const source = `import { ModelError } from ${JSON.stringify(error)};
      const wait = { kind: 'wait', afterMs: 600_000 };
      export default () => { throw new ModelError('rate_limited', 'slow down', undefined, wait); };`;
    const cwd = await project({ answers: [] }, { 'limited.mjs': source }, false);
    const program = new Program(['run', 'x', '-m', 'script:limited.mjs', '--output-format', 'json'], { cwd });
    await program.shows('rate limit: waiting 10 min 0 s, until ');
    program.signal('SIGTERM');
    const ended = await program.ended;
    expect(ended.status).toBe(143);
    expect(resultIn(ended)).toMatchObject({ exit: 143, state: 'paused' });
    expect((await loopfold(['show'], { cwd })).stdout).toMatch(
      /on the way +1 rate limit, to be waited for (9 min 59|10 min 0) s/,
    );
    expect((await loopfold(['runs'], { cwd })).stdout).toMatch(/paused, waits until \d\d:\d\d:\d\d UTC/);
  });

  testInTurn('while a tool ignores the signal: its whole group is killed, and the pause is recorded', async () => {
    const cwd = await project(
      { answers: [call('trap "" TERM INT HUP; echo $$ > pid; while :; do sleep 1; done'), { text: 'done' }] },
      {},
      false,
    );
    const program = run(cwd, '--output-format', 'json');
    const pid = await pidIn(cwd);
    program.signal('SIGINT');
    const ended = await program.ended;
    expect(ended.status).toBe(130);
    expect(resultIn(ended)).toMatchObject({ exit: 130, state: 'paused' });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  testInTurn.runIf(process.platform === 'linux')('the terminal goes away: the run is paused', async () => {
    const cwd = await project(WAITS, {}, false);
    const terminal = new Terminal(['run', 'x', ...MODEL], { cwd });
    const pid = await pidIn(cwd);
    terminal.hangUp();
    await terminal.ended;
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 120_000 });
    await vi.waitFor(async () => expect((await loopfold(['runs'], { cwd })).stdout).toContain(' paused '), {
      timeout: 120_000,
    });
  });
});

describe('a second signal', () => {
  const heard = (isEchoed: boolean) => {
    const told: string[] = [];
    const now = (signal: string): never => {
      told.push(`now ${signal}`);
      throw new Error('over');
    };
    return { told, listener: onceThenNow({ once: (signal) => told.push(`once ${signal}`), now }, isEchoed) };
  };

  test('a second signal counts unless it is the echo that npm passes on', () => {
    const meant = heard(false);
    meant.listener('SIGINT');
    expect(() => meant.listener('SIGINT')).toThrow('over');
    expect(meant.told).toEqual(['once SIGINT', 'now SIGINT']);

    const time = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    const echoed = heard(true);
    echoed.listener('SIGINT');
    echoed.listener('SIGINT');
    expect(echoed.told).toEqual(['once SIGINT']);
    time.mockReturnValue(2_000);
    expect(() => echoed.listener('SIGINT')).toThrow('over');
    time.mockRestore();
  });
});
