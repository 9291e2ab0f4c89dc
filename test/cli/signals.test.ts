import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { loopfold, MODEL, Program, project, resultIn } from './program.ts';

const call = (command: string) => ({ calls: [{ tool: 'shell', arguments: { command } }] });
/** Says who it is, and waits for somebody. */
const WAITS = { answers: [call('echo $$ > pid; exec sleep 60'), { text: 'done' }] };
const pidIn = (cwd: string) => vi.waitFor(async () => Number(await readFile(join(cwd, 'pid'), 'utf8')) || Promise.reject(new Error('not yet')), { timeout: 20_000 });
const run = (cwd: string, ...more: string[]) => new Program(['run', 'x', ...MODEL, ...more], { cwd });

describe.concurrent('a signal pauses a run, and it can be resumed', () => {
  test.for([['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 129]] as const)('%s ends with %i, records the pause and leaves no process behind', async ([signal, status]) => {
    const cwd = await project(WAITS, {}, false);
    const program = run(cwd, '--output-format', 'stream-json');
    const pid = await pidIn(cwd);
    program.signal(signal);
    const ended = await program.ended;
    expect(ended.status).toBe(status);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(resultIn(ended)).toMatchObject({ exit: status, state: 'paused', outcome: null });
    const types = ended.stdout.trimEnd().split('\n').map((line) => JSON.parse(line).type);
    expect(types.slice(-2)).toEqual(['run.paused', 'result']);
    expect(types).toContain('tool.interrupted');
    expect(ended.stderr).toMatch(/next .* resume \w{8}/);
    expect((await loopfold(['runs'], { cwd })).stdout).toContain('paused');
  });

  test('a paused iteration is taken up where it was, attempt and all', async () => {
    const cwd = await project(WAITS);
    const program = run(cwd, '--verify', 'test -f pid');
    await pidIn(cwd);
    program.signal('SIGINT');
    expect((await program.ended).status).toBe(130);
    const resumed = await loopfold(['resume', '--output-format', 'json'], { cwd });
    expect(resumed.status).toBe(0);
    const result = resultIn(resumed);
    expect(result).toMatchObject({ outcome: { ending: 'success' }, iterations: [{ iteration: 0, passed: true }] });
    const { stdout } = await loopfold(['events', result.run ?? ''], { cwd });
    expect(stdout).toMatch(/run\.paused +by signal/);
    expect(stdout).toMatch(/run\.resumed/);
  });

  test('twice is now, with a result all the same', async () => {
    const cwd = await project({ answers: [call('trap "" TERM; echo $$ > pid; sleep 60; true'), { text: 'done' }] });
    const program = run(cwd, '--output-format', 'json');
    const pid = await pidIn(cwd);
    program.signal('SIGINT');
    await program.shows('once more to stop at once');
    program.signal('SIGINT');
    const ended = await program.ended;
    expect(ended.status).toBe(130);
    expect(resultIn(ended)).toMatchObject({ exit: 130, state: 'lost', run: expect.any(String), next: [expect.stringContaining('resume')] });
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 10_000 });
    expect((await loopfold(['runs'], { cwd })).stdout).toContain('interrupted');
    expect((await loopfold(['resume'], { cwd })).status).toBe(0);
  });
});
