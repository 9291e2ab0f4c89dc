import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { loopfold, MODEL, Program, project, resultIn } from './program.ts';

const SLEEPS = { answers: [{ calls: [{ tool: 'shell', arguments: { command: 'sleep 60' } }] }, { text: 'done' }] };

describe('several processes, one run', () => {
  test('one owns it, the others watch, are refused, and end it', async () => {
    const cwd = await project(SLEEPS);
    const server = new Program(['run', 'x', ...MODEL, '--verify', 'true', '--output-format', 'json'], { cwd });
    await server.shows('› shell');
    const follower = new Program(['events', '--last', '--follow'], { cwd });
    await follower.shows('iteration.started');

    const [listed, second] = await Promise.all([
      loopfold(['runs'], { cwd }),
      loopfold(['resume', '--last', '--output-format', 'json'], { cwd }),
    ]);
    expect(listed.stdout).toContain('running');
    expect(second.status).toBe(6);
    expect(second.stderr).toMatch(new RegExp(`is held by process \\d+ on ${hostname()}\n`));
    expect(resultIn(second)).toMatchObject({ exit: 6, state: 'failed' });

    const aborted = await loopfold(['abort', '--last', '--reason', 'it takes too long'], { cwd });
    expect(aborted).toMatchObject({ status: 0, stderr: expect.stringContaining('has ended: abort (user)') });
    const ended = await server.ended;
    expect(ended.status).toBe(13);
    expect(resultIn(ended)).toMatchObject({
      exit: 13,
      outcome: { ending: 'abort', cause: 'user' },
      reason: expect.stringContaining('it takes too long'),
    });
    const followed = await follower.ended;
    expect(followed.status).toBe(0);
    expect(followed.stdout.trimEnd().split('\n').at(-1)).toContain('strategy.ended');
  });

  testInTurn('an unowned run is ended too, and resume leaves it ended', async () => {
    const cwd = await project(SLEEPS);
    const server = new Program(['run', 'x', ...MODEL], { cwd });
    await server.shows('› shell');
    server.signal('SIGKILL');
    await server.ended;
    expect((await loopfold(['show'], { cwd })).stdout).toContain('interrupted: its process is gone');
    expect((await loopfold(['abort', '--last'], { cwd })).status).toBe(0);
    expect(await loopfold(['resume'], { cwd })).toMatchObject({ status: 2, stderr: expect.stringContaining('abort') });
  });
});
