import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { tool } from '../../support/stand-ins.ts';
import { factsOf, leftWaiting, office, outputsIn, resumed } from './office.ts';

/** A tool that notes how often it ran. */
function publishing() {
  const ran: string[] = [];
  const publish = tool('publish', async () => (ran.push('published'), { output: 'published' }));
  return { ran, publish };
}

const PUBLISH = { tool: 'publish', arguments: {} };
const ASK = ['ask publish'];
const DIRECTLY = { directory: process.cwd(), sandbox: 'off' } as const;

test('X9 a denied call does not run, and the model is told why', async () => {
  const { ran, publish } = publishing();
  const { start, requests, log } = office({ answers: [{ calls: [PUBLISH] }, { text: 'done' }] }, { tools: [publish] });
  const live = await start({ permissions: ['deny publish'] });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(ran).toEqual([]);
  expect(requests.map(outputsIn)).toEqual([[], [expect.stringContaining('deny publish')]]);
  expect(await factsOf(log, live.run, 'calls.admitted')).toMatchObject([{ payload: { run: [] } }]);
});

test('X9 a call that is asked waits in the inbox, and after a yes the same call runs, in another process', async () => {
  const { ran, publish } = publishing();
  const answers = [{ calls: [PUBLISH] }, { calls: [PUBLISH] }, { calls: [PUBLISH] }, { text: 'done' }];
  const harness = office({ answers }, { tools: [publish] });
  const run = await leftWaiting(harness, { permissions: ASK });
  const [question] = (await harness.loops().questions(run)) ?? [];
  expect(question).toMatchObject({ kind: 'approval', callId: '0.0', remembers: [expect.any(String)] });
  expect(question?.text).toContain('ask publish');
  expect(ran).toEqual([]);
  const digest = question?.approval?.digest ?? '';
  expect(await harness.loops().answer(run, { text: 'yes' })).toMatchObject({ because: 'asks_for_approval' });
  expect(await harness.loops().grant(run, { granted: true, digest: digest.replace(/^./, 'x') })).toMatchObject({
    because: 'has_changed',
  });
  expect(await harness.loops().grant(run, { granted: true, digest })).toMatchObject({ kind: 'received' });
  const live = await resumed(harness.loops(), run);
  await expect.poll(() => harness.loops().questions(run)).toMatchObject([{ callId: '2.0' }]);
  expect(ran).toEqual(['published']);
  expect(await harness.loops().grant(run, { granted: false, reason: 'once is enough' })).toMatchObject({
    kind: 'received',
  });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(ran).toEqual(['published']);
  expect(harness.requests.map((request) => outputsIn(request).at(-1))).toEqual([
    undefined,
    expect.stringContaining('make exactly the same call again'),
    'published',
    expect.stringContaining('once is enough'),
  ]);
});

test('X9 a yes to reading outside of the workspace opens that place to the call, and no other', async () => {
  const [inside, outside] = [await temporaryFolder(), await temporaryFolder()];
  await writeFile(join(outside, 'a.txt'), 'of the person');
  await writeFile(join(outside, 'b.txt'), 'not asked for');
  const read = (name: string) => ({ tool: 'read', arguments: { path: join(outside, name) } });
  const answers = [
    { calls: [read('a.txt')] },
    { calls: [read('a.txt')] },
    { calls: [read('b.txt')] },
    { text: 'done' },
  ];
  const { start, loops, requests } = office({ answers });
  const live = await start({ tools: ['read'], permissionProfile: 'edit', directory: inside, sandbox: 'off' });
  await expect.poll(() => loops().questions(live.run)).toMatchObject([{ kind: 'approval', callId: '0.0' }]);
  await loops().grant(live.run, { granted: true });
  await expect.poll(() => loops().questions(live.run)).toMatchObject([{ kind: 'approval', callId: '2.0' }]);
  await loops().grant(live.run, { granted: false });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(requests.map((request) => outputsIn(request).at(-1))[2]).toContain('of the person');
});

test('X9 what a person allows for good is not asked again, in the run and in the attempts after it', async () => {
  const { ran, publish } = publishing();
  const twice = { answers: [{ calls: [PUBLISH] }, { calls: [PUBLISH] }, { calls: [PUBLISH] }, { text: 'done' }] };
  const once = { answers: [{ calls: [PUBLISH] }, { text: 'done' }] };
  const harness = office({ attempts: [twice, once] }, { tools: [publish] });
  const live = await harness.start({ permissions: ASK, loop: 'iteration', maxIterations: 2, ...DIRECTLY });
  await expect.poll(() => harness.loops().questions(live.run)).toMatchObject([{ kind: 'approval' }]);
  expect(await harness.loops().grant(live.run, { granted: true, remember: true })).toMatchObject({ kind: 'received' });
  expect(await live.done).toMatchObject({ kind: 'ended' });
  expect(ran).toHaveLength(3);
  expect(await factsOf(harness.log, live.run, 'person.answered')).toHaveLength(1);
});

test('X9 what was allowed for good in a project is not asked in its later runs', async () => {
  const { ran, publish } = publishing();
  const { start, log } = office(
    { answers: [{ calls: [PUBLISH] }, { text: 'done' }] },
    {
      tools: [publish],
      permitted: async () => ['shell git push', (await digestOfPublish()) ?? ''],
    },
  );
  const live = await start({ permissions: ASK });
  expect(await live.done).toMatchObject({ kind: 'ended' });
  expect(ran).toHaveLength(1);
  expect(await factsOf(log, live.run, 'person.answered')).toEqual([]);
});

/** What a question about it says that it would remember. */
async function digestOfPublish(): Promise<string | undefined> {
  const { publish } = publishing();
  const harness = office({ answers: [{ calls: [PUBLISH] }, { text: 'done' }] }, { tools: [publish] });
  const run = await leftWaiting(harness, { permissions: ASK });
  return (await harness.loops().questions(run))?.[0]?.remembers?.[0];
}

test('X9 a run that waits for no person denies what it would ask, and goes on', async () => {
  const { ran, publish } = publishing();
  const { start, requests } = office({ answers: [{ calls: [PUBLISH] }, { text: 'done' }] }, { tools: [publish] });
  const live = await start({ permissions: ASK, wait: false });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(ran).toEqual([]);
  expect(requests.map(outputsIn).at(-1)).toEqual([expect.stringContaining('none is there')]);
});

test('X9 calls beside one that is asked go on', async () => {
  const { ran, publish } = publishing();
  const note = tool('note', async () => ({ output: 'noted' }));
  const harness = office(
    { answers: [{ calls: [PUBLISH, { tool: 'note' }] }, { text: 'done' }] },
    { tools: [publish, note] },
  );
  const run = await leftWaiting(harness, { permissions: ASK });
  expect(await factsOf(harness.log, run, 'tool.completed')).toMatchObject([{ payload: { output: 'noted' } }]);
  expect(ran).toEqual([]);
});

test('X9 without rules no call is ruled, and with a profile those that it leaves are asked', async () => {
  const directory = await temporaryFolder();
  await writeFile(join(directory, 'a.txt'), 'a');
  const answers = [{ calls: [{ tool: 'shell', arguments: { command: 'cat a.txt' } }] }, { text: 'done' }];
  const options = { tools: ['shell'], ...DIRECTLY, directory };
  const free = await office({ answers }).start(options);
  expect(await free.done).toMatchObject({ kind: 'ended' });
  const harness = office({ answers });
  const run = await leftWaiting(harness, { ...options, permissionProfile: 'edit' });
  expect(await harness.loops().questions(run)).toMatchObject([
    { approval: { allows: expect.stringContaining('cat a.txt') } },
  ]);
});

testInTurn('X9 rules that never count, and those that fit no tool, are said when the run starts', async () => {
  const { start } = office({ answers: [{ text: 'done' }] });
  const live = await start({ permissions: ['allow shell', 'deny shell command=git push', 'deny shel command=ls'] });
  await live.done;
  expect(live.warnings.join('\n')).toMatch(
    /deny shell command=git push" never counts[^]*deny shel command=ls" fits no tool/,
  );
});

test('X9 where walls cannot stand an attending person is asked about commands, and no other run waits', async () => {
  vi.stubEnv('PATH', await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const shell = { tool: 'shell', arguments: { command: 'ls' } };
  const script = { answers: [{ calls: [shell] }, { text: 'done' }] };
  const place = { directory: await temporaryFolder(), sandbox: 'try', tools: ['shell'] } as const;
  const attended = office(script, { attendant: async () => null });
  const live = await attended.start({ ...place, tools: ['shell'] });
  expect(live.warnings.join(' ')).toMatch(/There are no walls .* So you are asked about each command/);
  await expect.poll(() => attended.loops().questions(live.run)).toMatchObject([{ kind: 'approval', callId: '0.0' }]);
  await attended.loops().grant(live.run, { granted: false });
  await live.done;
  const said = await attended.start({ ...place, tools: ['shell'], permissionProfile: 'all' });
  // The folder is held until it has ended.
  await said.done;
  const alone = await office(script).start({ ...place, tools: ['shell'] });
  expect([said, alone].map(({ warnings }) => warnings.join(' ').includes('you are asked'))).toEqual([false, false]);
  expect([await said.done, await alone.done]).toMatchObject([{ kind: 'ended' }, { kind: 'ended' }]);
});

test('X9 a rule that no call of the run or of its attempts fitted is named, and no other', async () => {
  const { publish } = publishing();
  const answers = [{ calls: [PUBLISH] }, { text: 'done' }];
  const { start, loops } = office({ attempts: [{ answers }] }, { tools: [publish] });
  const permissions = ['allow publish', 'deny edit path=docs/**'];
  const live = await start({ permissions, loop: 'iteration', maxIterations: 1, ...DIRECTLY });
  await live.done;
  expect(await loops().unusedRules(live.run)).toEqual(['deny edit path=docs/**']);
});

test.each([
  'deny',
  'deny shell command=git push && rm',
  'deny shell command=',
  'ask edit path=../x',
  'ask edit path=src/{a',
  'ask * host=https://example.org/x',
])('X9 a bad rule is refused before anything is recorded: %s', async (rule) => {
  const { start, log } = office({ answers: [{ text: 'done' }] });
  await expect(start({ permissions: [rule] })).rejects.toThrow(/permission/);
  expect(await log.runs()).toEqual([]);
});
