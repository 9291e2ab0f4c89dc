import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { project } from '../program.ts';
import { localUser } from '../../../src/app/people/local-user.ts';
import { rulersIn } from './rulers.ts';
import { asking, served, TURN, WRITES } from './served.ts';

test('X11 a client starts a run at once, answers its question, and reads its verdict and its change', async () => {
  const { call } = await served(await asking(), TURN, 'approve');
  expect((await call('inbox')).data).toEqual({ waiting: [], more: 0 });
  const { data: started } = await call('start_run', { task: 'Paint the wall.' });
  expect(started).toMatchObject({ task: 'Paint the wall.', verdict: null });
  const run = String(started['run']);
  const { data: waits } = await call('run_status', { run, waitSeconds: 45 });
  expect(waits).toMatchObject({ state: 'waiting', questions: [{ kind: 'question', choices: ['red', 'blue'] }] });
  expect((await call('inbox')).data).toMatchObject({ waiting: [{ run, question: { call: '0.0' } }], more: 0 });
  expect((await call('answer', { run, text: 'red' })).data).toEqual({ run, call: '0.0', answer: 'red' });
  await expect.poll(async () => (await call('run_status', { run })).data['questions']).toMatchObject([{ call: '2.0' }]);
  expect((await call('ask_person', { run })).data).toMatchObject({ ruling: 'approved' });
  await expect.poll(async () => (await call('run_status', { run, waitSeconds: 45 })).data['state']).toBe('ended');
  const { data: ended } = await call('run_status', { run: run.slice(-8) });
  expect(ended).toMatchObject({ run, verdict: 'success', answer: 'Painted.', questions: [] });
  expect((await call('run_diff', { run })).data).toMatchObject({ files: [{ path: 'wall.txt', status: 'added' }] });
  const { data: page } = await call('run_events', { run, from: 2, limit: 2 });
  expect(page).toMatchObject({ events: [{ version: 2 }, { version: 3 }], next: 4 });
  expect((await call('list_runs')).data).toMatchObject({ runs: [{ run, state: 'ended', task: 'Paint the wall.' }] });
});

test('X11 a ruling is no tool: a text is refused, and the person is shown what is asked', async () => {
  const { call, asked, names } = await served(await asking(), TURN, 'deny');
  expect((await names()).filter((name) => /approve|grant|deny|rul/.test(name))).toEqual([]);
  const { data: started } = await call('start_run', { task: 'Paint the wall.' });
  const run = String(started['run']);
  await call('run_status', { run, waitSeconds: 45 });
  await call('answer', { run, text: 'red' });
  await expect
    .poll(async () => (await call('run_status', { run })).data['questions'])
    .toMatchObject([{ kind: 'ruling' }]);
  expect((await call('answer', { run, text: 'yes' })).refused).toMatch(
    /asks for permission .*\n.*approve .* 2.0 --digest/,
  );
  expect(asked).toEqual([]);
  expect((await call('ask_person', { run })).data).toEqual({ run, call: '2.0', ruling: 'denied' });
  expect(asked).toEqual([expect.stringContaining('permission for reading /etc/hostname: To greet it.')]);
  await expect.poll(async () => (await call('run_status', { run })).data['state']).toBe('ended');
  const events = (await call('run_events', { run })).data['events'];
  expect(JSON.stringify(events)).toContain('2.0: refused: reading /etc/hostname');
});

test('X11 who rules in the form of a client stands in the log, by the name of their user', async () => {
  const directory = await project({ answers: [{ calls: [WRITES] }, { calls: [WRITES] }, { text: 'Painted.' }] });
  const { call } = await served(directory, { ...TURN, permission: ['ask write'] }, 'approve');
  const { data: started } = await call('start_run', { task: 'Paint the wall.' });
  const run = String(started['run']);
  await call('run_status', { run, waitSeconds: 45 });
  expect((await call('ask_person', { run })).data).toMatchObject({ ruling: 'approved' });
  await expect.poll(async () => (await call('run_status', { run, waitSeconds: 45 })).data['state']).toBe('ended');
  expect(await rulersIn(directory)).toEqual([{ ...(await localUser(directory)), door: 'form' }]);
});

test('X11 a client that has no forms gets the command that the person types, and nothing is ruled', async () => {
  const directory = await asking();
  const { call } = await served(directory, TURN);
  const { data: started } = await call('start_run', { task: 'Paint the wall.' });
  const run = String(started['run']);
  await call('run_status', { run, waitSeconds: 45 });
  await call('answer', { run, text: 'red' });
  await expect
    .poll(async () => (await call('run_status', { run })).data['questions'])
    .toMatchObject([{ kind: 'ruling' }]);
  const { refused } = await call('ask_person', { run });
  expect(refused).toContain('Show them this');
  expect(refused).toMatch(new RegExp(`approve ${run.slice(-8)} 2.0 --digest [0-9a-f]{16} -C ${directory}`));
  expect((await call('run_status', { run })).data).toMatchObject({ state: 'waiting', questions: [{ call: '2.0' }] });
});

test('X11 the same id gives the same run, and no second one; another task needs another id', async () => {
  const { call } = await served(await project({ answers: [{ text: 'Done.' }] }), { loop: 'turn' });
  const run = uuidv7();
  const both = await Promise.all([call('start_run', { task: 'Say so.', run }), call('list_runs')]);
  expect(both[0].data).toMatchObject({ run });
  expect((await call('start_run', { task: 'Say so.', run })).data).toMatchObject({ run, task: 'Say so.' });
  expect((await call('start_run', { task: 'Say no.', run })).refused).toContain('an id of its own for each task');
  expect((await call('list_runs')).data['runs']).toHaveLength(1);
  expect((await call('start_run', { task: 'Say so.', run: 'mine' })).refused).not.toBeNull();
});

test('X11 what stands in the way of a run is told as a result, and no log is made', async () => {
  const directory = await project({ answers: [] });
  const { call } = await served(directory, { loop: 'turn', model: 'script:gone.json' });
  expect((await call('start_run', { task: 'Say so.' })).refused).toContain('gone.json');
  expect((await call('run_status', { run: 'abcdabcd' })).refused).toContain('which has none yet');
  expect((await call('list_runs')).data).toEqual({ runs: [] });
});
