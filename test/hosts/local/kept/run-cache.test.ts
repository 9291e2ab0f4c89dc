import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { KeptRuns, type Keeping } from '../../../../src/app/kept/run-cache.ts';
import type { Loops } from '../../../../src/hosts/local/local-host.ts';
import type { Log } from '../../../../src/log/log.ts';
import { memoryLog, openSqliteLog } from '../../../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../../../git/repository.ts';
import { bundled, compileCache, YOUNG_GENERATION } from '../../../support/bundled.ts';
import { ask, factsOf, leftWaiting, office } from '../office.ts';

const asking = { answers: [{ calls: [ask('Tabs?')] }, { text: 'done' }] };
const PROGRAM = bundled('test/hosts/local/kept/keeping.process.ts');
const MANY = 60;
const PATIENCE_MS = 30_000;

const opened: KeptRuns[] = [];
afterEach(() => {
  for (const kept of opened.splice(0)) kept.stop();
});

function keeping(loops: Loops, how: Keeping = { leaveAfterMs: 0 }): KeptRuns {
  const kept = new KeptRuns(loops, how);
  opened.push(kept);
  return kept;
}

const untilAway = (kept: KeptRuns, away: number) =>
  vi.waitFor(() => expect(kept.size).toEqual({ here: 0, away }), { timeout: PATIENCE_MS, interval: 20 });

const outcomeOf = { kind: 'ended', outcome: { ending: 'success' } };

async function fileLog(): Promise<{ folder: string; log: Log; again: () => Log }> {
  const folder = await temporaryFolder();
  const again = () => openSqliteLog(join(folder, 'log.db'));
  return { folder, log: again(), again };
}

test('runs that wait leave memory, and each comes back on its own answer, from whichever process', async () => {
  const { log, again } = await fileLog();
  const { loops, start } = office(asking, { log });
  const kept = keeping(loops());
  const runs = [];
  for (let n = 0; n < MANY; n += 1) runs.push(kept.keep(await start()));
  await untilAway(kept, MANY);
  for (const { run } of runs) expect(await log.holder(run)).toBeNull();

  const other = again();
  const elsewhere = office(asking, { log: other }).loops();
  const [first, second, ...others] = runs;
  await elsewhere.answer(first?.run ?? '', { text: 'yes' });
  await loops().answer(second?.run ?? '', { text: 'no' });
  expect(await first?.done).toMatchObject(outcomeOf);
  expect(await second?.done).toMatchObject(outcomeOf);
  await untilAway(kept, MANY - 2);

  await Promise.all(others.map(({ run }) => loops().answer(run, { text: 'all' })));
  for (const { done } of others) expect(await done).toMatchObject(outcomeOf);
  expect(kept.size).toEqual({ here: 0, away: 0 });
  await other.close();
  await log.close();
});

test('a run that works, or waits for less than that, stays in memory', async () => {
  const { loops, start } = office({ answers: [{ calls: [ask('Tabs?')] }, { text: 'done', delayMs: 600 }] });
  const kept = keeping(loops(), { leaveAfterMs: 3_600_000 });
  const { run, done } = kept.keep(await start());
  await new Promise((passed) => setTimeout(passed, 800));
  expect(kept.size).toEqual({ here: 1, away: 0 });
  await loops().answer(run, { text: 'yes' });
  expect(await done).toMatchObject(outcomeOf);
});

test('an answer that comes while a run leaves is not lost, whenever it comes', async () => {
  const { log, loops, start } = office(asking, { log: memoryLog() });
  const kept = keeping(loops());
  const answered = Array.from({ length: 20 }, async (_, n) => {
    const { run, done } = kept.keep(await start());
    const waits = () => loops().questions(run);
    while (((await waits()) ?? []).length === 0) await new Promise((passed) => setTimeout(passed, 5));
    await new Promise((passed) => setTimeout(passed, 25 * n));
    expect(await loops().answer(run, { text: 'yes' })).toMatchObject({ kind: 'received' });
    return { run, done };
  });
  for (const one of answered) {
    const { run, done } = await one;
    expect(await done).toMatchObject(outcomeOf);
    expect(await factsOf(log, run, 'person.answered')).toHaveLength(1);
  }
});

test('a run that is aborted while it is out of memory ends, and this process is told', async () => {
  const { log, loops, start } = office(asking);
  const kept = keeping(loops());
  const { run, done } = kept.keep(await start());
  await untilAway(kept, 1);
  await loops().abort(run, 'no longer wanted');
  expect(await done).toMatchObject({ kind: 'ended', outcome: { ending: 'abort', cause: 'user' } });
  expect(await factsOf(log, run, 'run.resumed')).toEqual([]);
});

test('a run that another process resumes meanwhile is left to it, to its end', async () => {
  const { log, again } = await fileLog();
  const kept = keeping(office(asking, { log }).loops());
  const { run, done } = kept.keep(await office(asking, { log }).start());
  await untilAway(kept, 1);
  const other = again();
  const elsewhere = office(
    { answers: [...asking.answers.slice(0, 1), { text: 'there', delayMs: 700 }] },
    { log: other },
  ).loops();
  await elsewhere.answer(run, { text: 'yes' });
  const taken = await elsewhere.resume(run).catch((error: Error) => error);
  expect(await done).toMatchObject(outcomeOf);
  // The process that was first has resumed it, and no other.
  expect(await factsOf(log, run, 'run.resumed')).toHaveLength(1);
  if ('live' in taken && taken.kind === 'live') await taken.live.done;
  await other.close();
  await log.close();
});

test('a run that a person has paused is no longer kept', async () => {
  const { loops, start } = office(asking);
  const kept = keeping(loops(), { leaveAfterMs: 3_600_000 });
  const { run, done } = kept.keep(await start());
  await loops().pause(run);
  expect(await done).toEqual({ kind: 'paused' });
});

test('runs of a process that is killed while they are out of memory are kept by the next', async () => {
  const { folder, log } = await fileLog();
  const program = spawn(process.execPath, [...YOUNG_GENERATION, PROGRAM, folder, '3'], {
    env: { ...process.env, ...compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(program, 'exit');
  await once(program.stdout, 'data');
  program.kill('SIGKILL');
  await exited;

  const { loops } = office(asking, { log });
  const kept = keeping(loops());
  const runs = (await log.runs()).map(({ run }) => kept.keepWaiting(run));
  expect(runs).toHaveLength(3);
  const [first, ...others] = runs;
  await loops().answer(first?.run ?? '', { text: 'yes' });
  expect(await first?.done).toMatchObject(outcomeOf);
  expect(kept.size).toEqual({ here: 0, away: 2 });
  for (const { run } of others) await loops().answer(run, { text: 'yes' });
  for (const { done } of others) expect(await done).toMatchObject(outcomeOf);
  for (const { run } of runs) expect(await factsOf(log, run, 'person.answered')).toHaveLength(1);
  await log.close();
});

test('a run that does not wait is looked at once, and left where a person has left it', async () => {
  const harness = office(asking);
  const kept = keeping(harness.loops());
  const waiting = await leftWaiting(harness);
  const live = await harness.start();
  await live.abort();
  await live.done;
  expect(await kept.keepWaiting(live.run).done).toMatchObject({ kind: 'ended', outcome: { ending: 'abort' } });
  kept.keepWaiting(waiting);
  expect(await kept.keepWaiting('nowhere').done).toEqual({ kind: 'paused' });
  expect(kept.size).toEqual({ here: 0, away: 1 });
});
