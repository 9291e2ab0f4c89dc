import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { folder, loopfold, MODEL, Program, project, resultIn } from './program.ts';
import { loopfold as warmLoopfold } from './warm-process.ts';

const SLOW = { answers: [{ calls: [{ tool: 'shell', arguments: { command: 'sleep 600' } }] }, { text: 'done' }] };
const JSON_FORMAT = ['--output-format', 'json'];
/** Each run of the race starts two processes and ends both. */
const RACES = 4;

const words = (log: string) => ['run', 'x', ...MODEL, '--log', `sqlite:${join(log, 'log.db')}`, ...JSON_FORMAT];

test('G11 6: two stores, one folder: the second run is refused with the holder and the ways out', async () => {
  const cwd = await project(SLOW, {}, false);
  const [one, other] = [await folder(), await folder()];
  const first = new Program(words(one), { cwd });
  await first.shows('› shell');
  const second = await loopfold(words(other), { cwd });
  expect(second.status).toBe(6);
  const result = resultIn(second);
  expect(result).toMatchObject({ exit: 6, state: 'failed', run: null });
  const place = await realpath(cwd);
  expect(result.error).toMatch(
    new RegExp(`^${place} is held by run \\S+: process \\d+ on .*, recorded in ${one}/log.db`),
  );
  expect(result.error).toContain('--isolate worktree');
  expect(result.next).toEqual([expect.stringMatching(new RegExp(`abort \\w{8} .*--log sqlite:${one}/log.db$`))]);
  const [run = ''] = /[0-9a-f-]{36}/.exec(result.error ?? '') ?? [];
  expect((await warmLoopfold(['abort', run, '--log', `sqlite:${join(one, 'log.db')}`], { cwd })).status).toBe(0);
  expect((await first.ended).status).toBe(13);
  const third = new Program(words(other), { cwd });
  await third.shows('› shell');
  third.signal('SIGKILL');
  await third.ended;
});

testInTurn(
  'G11 after kill -9 of the holder the next start succeeds at once, and the killed run waits for it',
  async () => {
    const cwd = await project(SLOW, {}, false);
    const [one, other] = [await folder(), await folder()];
    const killed = new Program(words(one), { cwd });
    await killed.shows('› shell');
    killed.signal('SIGKILL');
    await killed.ended;
    const next = new Program(words(other), { cwd });
    await next.shows('› shell');
    const log = ['--log', `sqlite:${join(one, 'log.db')}`];
    expect((await warmLoopfold(['resume', ...log], { cwd })).status).toBe(6);
    // Only its end is recorded: nothing that writes is started.
    expect((await warmLoopfold(['abort', '--last', ...log], { cwd })).status).toBe(0);
    next.signal('SIGKILL');
    await next.ended;
  },
);

testInTurn('G11 of two starts at the same moment, from two processes, exactly one begins', async () => {
  const cwd = await project(SLOW, {}, false);
  for (let race = 0; race < RACES; race += 1) {
    const both = [new Program(words(await folder()), { cwd }), new Program(words(await folder()), { cwd })];
    const first = await Promise.race(both.map(async (one) => ({ one, ended: await one.ended })));
    expect(first.ended.status).toBe(6);
    const [winner] = both.filter((one) => one !== first.one);
    await winner?.shows('› shell');
    winner?.signal('SIGKILL');
    await winner?.ended;
  }
});

test('G11 a state folder that cannot be written is warned about, and the run goes on', async () => {
  const cwd = await project({ answers: [{ text: 'done' }] }, {}, false);
  const env = { XDG_STATE_HOME: join(cwd, 'model.json') };
  const { status, stderr } = await warmLoopfold(['run', 'x', ...MODEL], { cwd, env });
  expect(stderr).toContain(`warning: ${join(cwd, 'model.json/loopfold/holds.db')} cannot be used`);
  expect(status).toBe(0);
});
