import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AnyScript } from '../../../../src/actors/model/model-script.ts';
import type { Script } from '../../../../src/actors/model/script.ts';
import { returnToWorktree } from '../../../../src/app/isolation/return-to-worktree.ts';
import { openSqliteLog } from '../../../../src/log/sqlite/engine.ts';
import { Transcript } from '../../../../src/loops/turn/conversation.ts';
import { remadeSince } from '../../../../src/runtime/remade-since.ts';
import { repository } from '../../../git/repository.ts';
import { loopfold, MODEL, Program } from '../../../cli/program.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { history } from '../../../support/run-history.ts';
import { factsOf, office, resumed, wordsIn } from '../office.ts';
import { leftPaused, settingsOf, working } from './isolated.ts';

const write = (path: string) => ({ calls: [{ tool: 'write', arguments: { path, content: '1' } }] });
const SLEEPING = { calls: [{ tool: 'shell', arguments: { command: 'echo begun; sleep 1000' } }] };
const DONE = { text: 'done' };

/** A run whose process was killed in a shell call, and whose worktree was deleted then. */
async function killedAndDeleted(script: Script, ...more: readonly string[]) {
  const { root, commit } = await repository({ 'model.json': JSON.stringify(script) });
  await commit();
  const program = new Program(['run', 'x', ...MODEL, '--isolate', 'worktree', ...more], { cwd: root });
  await program.shows('begun');
  program.signal('SIGKILL');
  await program.ended;
  await rm(join(root, '.loopfold/worktrees'), { recursive: true });
  const log = openSqliteLog(join(root, '.loopfold/log.db'));
  const [record] = await log.runs();
  if (!record) throw new Error('no run was recorded');
  return { root, log, run: record.root };
}

async function goneOn(log: ReturnType<typeof openSqliteLog>, run: string, script: AnyScript = { answers: [DONE] }) {
  const { loops, requests } = office(script, { log });
  await (
    await resumed(loops(), run)
  ).done;
  return requests.map(wordsIn);
}

const TURN = { answers: [write('a.txt'), SLEEPING, DONE] };
const GONE = 'Your changes of these files are gone: a.txt.';

test('X4 a model is told from what its worktree was made again, and which changes are gone', async () => {
  const { log, run } = await killedAndDeleted(TURN, '--loop', 'turn');
  const [words] = await goneOn(log, run, () => DONE);
  const [fact] = await factsOf(log, run, 'run.resumed');
  expect(fact?.payload.remade).toEqual({ from: 0, hash: expect.stringMatching(/^[\da-f]{40}$/) });
  expect(words?.at(-1)).toContain('is made again, with the files that the run began with.');
  expect(words?.at(-1)).toContain(GONE);
  const again = new Transcript();
  for (const one of await history(log, run)) again.observe(one);
  expect(wordsIn({ messages: again.messages() } as never)).toEqual(words);
  await log.close();
});

testInTurn('X4 users read in `show` and in the events that the worktree of a run was made again', async () => {
  const { root, log } = await killedAndDeleted(TURN, '--loop', 'turn');
  await log.close();
  const { stdout: result } = await loopfold(['resume', '--last', '--output-format', 'json'], { cwd: root });
  const said = 'Its worktree was gone, and is made again from the tree that it began with';
  expect(result.split(said)).toHaveLength(2);
  expect((await loopfold(['show', '--last'], { cwd: root })).stdout).toContain(said);
  expect((await loopfold(['events', '--last'], { cwd: root })).stdout).toContain(said);
});

testInTurn(
  'X4 an attempt is told of the newest capture and of its own changes, and the next attempt, too',
  async () => {
    const script = { attempts: [{ answers: [write('b.txt'), DONE] }, { answers: [write('a.txt'), SLEEPING] }] };
    const { log, run } = await killedAndDeleted(script, '--verify', 'test -f never', '--max-iterations', '4');
    const [resumedAttempt, third, , fourth] = await goneOn(log, run, ({ iteration, step }) =>
      step === 0 ? write(`${iteration}.txt`) : DONE,
    );
    expect(resumedAttempt?.at(-1)).toContain('from capture 1, the newest there is');
    expect(resumedAttempt?.at(-1)).toContain(GONE);
    expect(third?.[0]).toContain('Since the attempt before this one began, the folder of the work was deleted');
    expect(fourth?.[0]).toContain('The files are as the attempt before left them.');
    await log.close();
  },
);

testInTurn('X4 an attempt is told also where the process that made the worktree again was killed before', async () => {
  const script = { attempts: [{ answers: [write('a.txt'), SLEEPING] }] };
  const { log, run } = await killedAndDeleted(script, '--verify', 'true');
  const child = (await log.runs()).find(({ root, run: one }) => root === run && one !== root)?.run ?? '';
  const { version = 0 } = (await log.run(child)) ?? {};
  await goneOn(log, run);
  const beforeItsOwn = {
    ...log,
    run: (one: string) => log.run(one),
    read: (one: string) => log.read(one, one === child ? { to: version } : undefined),
  };
  expect(await remadeSince(beforeItsOwn as never, child)).toMatchObject({ from: 0 });
  expect(await remadeSince(log, child)).toBe(null);
  await log.close();
});

testInTurn('X4 it is told once, also where a process is killed before the log says so', async () => {
  const { log, run } = await killedAndDeleted(TURN, '--loop', 'turn');
  await returnToWorktree({ log }, run);
  const { isolation } = await settingsOf(log, run);
  const made = await returnToWorktree({ log }, run);
  expect(made).toMatchObject({ warnings: [], remade: { from: 0, hash: isolation?.base } });
  await made.begun(run);
  expect(await returnToWorktree({ log }, run)).toMatchObject({ remade: null });
  await log.close();
});

testInTurn('X4 a run that was left with a capture is told that its files are there', async () => {
  const { root, commit } = await repository({ 'a.txt': '1\n' });
  await commit();
  const { live, loops, log, requests } = await leftPaused(root);
  await rm((await settingsOf(log, live.run)).directory, { recursive: true });
  await (
    await resumed(loops(), live.run)
  ).done;
  expect(requests.map(wordsIn).at(-1)?.at(-1)).toContain('with the files as you left them.');
});

testInTurn('X4 a continuation whose worktree was deleted while it worked is told that its work is gone', async () => {
  const { root, commit } = await repository({ 'a.txt': '1\n' });
  await commit();
  let isFirst = true;
  const { isolated, loops, requests } = working(async ({ directory }) => {
    if (isFirst) await rm(directory, { recursive: true });
    isFirst = false;
    return 'worked';
  });
  const live = await isolated(root);
  await live.done;
  await (
    await resumed(loops(), live.run)
  ).done;
  expect(requests.map(wordsIn).at(-1)?.at(-1)).toContain('What was changed after that is gone');
});
