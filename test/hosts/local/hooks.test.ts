import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { summarise } from '../../../src/projections/read-summary.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { tool } from '../../support/stand-ins.ts';
import { ask, factsOf, leftWaiting, office, outputsIn } from './office.ts';

const PUBLISH = { tool: 'publish', arguments: { to: 'npm' } };

/** Runs whose model publishes once, in a folder of their own. */
async function publishing() {
  const ran: string[] = [];
  const publish = tool('publish', async () => (ran.push('published'), { output: 'published' }));
  const harness = office({ answers: [{ calls: [PUBLISH] }, { text: 'done' }] }, { tools: [publish] });
  const directory = await temporaryFolder();
  const heard = (name: string) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Record<string, unknown>;
  return { ...harness, ran, directory, heard, place: { directory, sandbox: 'off' } as const };
}

test('X13 a hook before a tool reads the call, and denies it with what it prints', async () => {
  const { start, ran, requests, log, place, heard } = await publishing();
  const command = 'cat > seen.json; echo "not on a Friday"; exit 1';
  const live = await start({ hooks: [{ on: 'before-tool', tool: 'publ*', command }], ...place });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(ran).toEqual([]);
  expect(heard('seen.json')).toEqual({ hook: 'before-tool', run: live.run, tool: 'publish', arguments: { to: 'npm' } });
  expect(requests.map(outputsIn).at(-1)).toEqual(['publish did not run: a hook denies it: not on a Friday']);
  const [failed] = await factsOf(log, live.run, 'tool.failed');
  expect(failed?.payload).toMatchObject({
    fault: { code: 'hook_denied' },
    hooks: [{ on: 'before-tool', command, passed: false, said: 'not on a Friday' }],
  });
});

test('X13 hooks around a call are recorded with its result, and one after it that fails is told', async () => {
  const { start, ran, requests, log, place, heard } = await publishing();
  const hooks = [
    { on: 'before-tool', tool: 'shell', command: 'exit 1' },
    { on: 'before-tool', command: 'true' },
    { on: 'after-tool', command: 'cat > after.json; echo "the page is not there yet"; exit 3' },
  ] as const;
  const live = await start({ hooks: [...hooks], ...place });
  await live.done;
  expect(ran).toEqual(['published']);
  expect(heard('after.json')).toMatchObject({ hook: 'after-tool', output: 'published' });
  expect(requests.map(outputsIn).at(-1)?.[0]).toMatch(/^published\n\[a hook .*: the page is not there yet\]$/);
  const [completed] = await factsOf(log, live.run, 'tool.completed');
  expect(completed?.payload.hooks?.map(({ on, passed }) => [on, passed])).toEqual([
    ['before-tool', true],
    ['after-tool', false],
  ]);
});

test('X13 a hook that does not end within its time denies the call', async () => {
  const { start, ran, requests, place } = await publishing();
  const live = await start({ hooks: [{ on: 'before-tool', command: 'sleep 30', timeout: '1s' }], ...place });
  await live.done;
  expect(ran).toEqual([]);
  expect(requests.map(outputsIn).at(-1)).toEqual([expect.stringContaining('no end within 1000 ms')]);
});

test('X13 hooks on a question and at the end are recorded, and one that fails is a warning of the run', async () => {
  const answers = [{ calls: [ask('Tabs?')] }, { text: 'done' }];
  const harness = office({ answers });
  const directory = await temporaryFolder();
  const hooks = [
    { on: 'question', command: 'cat > question.json' },
    { on: 'end', command: 'cat > end.json; exit 4' },
  ] as const;
  const run = await leftWaiting(harness, { hooks: [...hooks], directory, sandbox: 'off' });
  const heard = (name: string) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as object;
  expect(heard('question.json')).toMatchObject({ hook: 'question', run, call: '0.0', text: 'Tabs?' });
  expect(existsSync(join(directory, 'end.json'))).toBe(false);
  await harness.loops().answer(run, { text: 'yes' });
  const resumed = await harness.loops().resume(run);
  if (resumed.kind === 'live') await resumed.live.done;
  expect(heard('end.json')).toMatchObject({ hook: 'end', answer: 'done', outcome: { ending: 'success' } });
  expect((await factsOf(harness.log, run, 'warning.raised')).map(({ payload }) => payload.hook)).toMatchObject([
    { on: 'question', command: 'cat > question.json', passed: true },
  ]);
  expect(await factsOf(harness.log, run, 'strategy.ended')).toMatchObject([
    { payload: { hooks: [{ on: 'end', passed: false }] } },
  ]);
  const { summary } = await summarise(harness.log, run, harness.loops().definitions);
  expect(summary?.warnings).toEqual([expect.stringContaining('on end failed')]);
});

test('X13 the end is told once, and not of the attempts of a run', async () => {
  const { directory, start, log } = await publishing();
  const hooks = [{ on: 'end', command: `echo told >> ${directory}/ends` }] as const;
  const place = { directory: process.cwd(), sandbox: 'off', loop: 'iteration', maxIterations: 1 } as const;
  const live = await start({ hooks: [...hooks], ...place });
  await live.done;
  expect(readFileSync(join(directory, 'ends'), 'utf8')).toBe('told\n');
  expect((await factsOf(log, live.run, 'strategy.ended')).map(({ payload }) => payload.hooks?.length)).toEqual(
    expect.arrayContaining([1, undefined]),
  );
});

testInTurn('X13 a silence of a tool is told once, and what is recorded ends it', async () => {
  const quiet = tool('quiet', async () => {
    await expect.poll(() => existsSync(join(directory, 'quiet.json')), { timeout: 20_000 }).toBe(true);
    await delay(1_500);
    return { output: 'at last' };
  });
  const directory = await temporaryFolder();
  const harness = office({ answers: [{ calls: [{ tool: 'quiet' }] }, { text: 'done' }] }, { tools: [quiet] });
  const hooks = [{ on: 'silence', after: '1s', command: 'cat >> quiet.json' }] as const;
  const live = await harness.start({ hooks: [...hooks], directory, sandbox: 'off' });
  expect(await live.done).toMatchObject({ outcome: { ending: 'success' } });
  expect(JSON.parse(readFileSync(join(directory, 'quiet.json'), 'utf8'))).toMatchObject({ silentMs: 1_000 });
  expect(await factsOf(harness.log, live.run, 'warning.raised')).toMatchObject([
    { payload: { hook: { on: 'silence', passed: true } } },
  ]);
});

test.each([
  [{ on: 'before', command: 'x' }, 'one of'],
  [{ on: 'end', command: ' ' }, 'a command'],
  [{ on: 'end', command: 'x', tool: 'shell' }, 'no tool'],
  [{ on: 'end', command: 'x', after: '1m' }, 'no time'],
])('X13 a hook that cannot be meant is refused: %j', async (hook, why) => {
  const { start } = office({ answers: [{ text: 'done' }] });
  await expect(start({ hooks: [hook as never] })).rejects.toThrow(why);
});
