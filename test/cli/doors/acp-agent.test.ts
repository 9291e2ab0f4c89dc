import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { project } from '../program.ts';
import { localUser } from '../../../src/app/people/local-user.ts';
import { rulersIn } from './rulers.ts';
import { edited, textOf } from './edited.ts';
import { asking, TURN } from './served.ts';

test('X11 an editor asks its person what a run asks, shows the change of a file, and is told the end', async () => {
  const directory = await asking();
  const { open, updates, asked, prompt } = await edited(directory, TURN, ({ options }) => options[0]?.optionId ?? '');
  const { sessionId } = await open(directory);
  expect(await prompt(sessionId, 'Paint the wall.')).toMatchObject({ stopReason: 'end_turn' });
  expect(asked).toEqual([
    expect.stringContaining('Which colour?'),
    expect.stringContaining('allows  reading /etc/hostname and everything below it'),
  ]);
  const path = join(directory, 'wall.txt');
  expect(updates).toContainEqual(
    expect.objectContaining({
      sessionUpdate: 'tool_call_update',
      status: 'completed',
      content: [{ type: 'diff', path, oldText: null, newText: 'red\n' }],
    }),
  );
  expect(await readFile(path, 'utf8')).toBe('red\n');
  expect(textOf(updates)).toMatch(/Painted\.\s+success: finished; nothing was asked to be checked\n$/);
});

test('X11 a question without choices ends the turn, and the next message is its answer', async () => {
  const question = { tool: 'ask_user', arguments: { question: 'What is your name?' } };
  const directory = await project({ answers: [{ calls: [question] }, { text: 'Hello.' }] });
  const { open, updates, asked, prompt } = await edited(directory, { loop: 'turn', tools: 'ask_user' });
  const { sessionId } = await open(directory);
  const first = await prompt(sessionId, 'Greet me.');
  expect(first.stopReason).toBe('end_turn');
  expect(textOf(updates)).toContain('What is your name?');
  const second = await prompt(sessionId, 'Bob');
  expect(second).toEqual(first);
  expect(textOf(updates)).toContain('Hello.');
  expect(asked).toEqual([]);
});

test('X11 an attempt is planned with its checks, and a cap that is met is no success', async () => {
  const directory = await project({ answers: [{ text: 'Nothing yet.' }] });
  const flags = { verify: ['grep red wall.txt'], maxIterations: '1', checkIn: 'workspace' };
  const { open, updates, prompt } = await edited(directory, flags);
  const { sessionId } = await open(directory);
  expect((await prompt(sessionId, 'Paint.')).stopReason).toBe('max_turn_requests');
  const plans = updates.flatMap((one) => (one.sessionUpdate === 'plan' ? [one.entries] : []));
  expect(plans.at(-1)).toMatchObject([
    { content: 'iteration 1 of 1', status: 'completed' },
    { content: 'check L0 grep red wall.txt', status: 'pending' },
  ]);
  expect(updates).toContainEqual(expect.objectContaining({ title: 'check L0 grep red wall.txt', kind: 'execute' }));
  expect(textOf(updates)).toContain('cap_hit: iteration limit reached');
});

test('X11 cancelling ends the run, and the next message continues the conversation', async () => {
  // The second run finds the file of the first.
  const sleeps = { tool: 'shell', arguments: { command: 'test -f slept || { touch slept; sleep 60; }' } };
  const directory = await project({ answers: [{ calls: [sleeps] }, { text: 'Here I am.' }] });
  const { open, updates, prompt, cancel } = await edited(directory, { loop: 'turn' });
  const { sessionId } = await open(directory);
  const working = prompt(sessionId, 'Sleep.');
  await expect.poll(() => JSON.stringify(updates)).toContain('shell test');
  await expect(prompt(sessionId, 'Hurry.')).rejects.toThrow('the session works on another prompt');
  await cancel(sessionId);
  expect((await working).stopReason).toBe('cancelled');
  const next = await prompt(sessionId, 'Are you there?');
  expect(next).toMatchObject({ stopReason: 'end_turn' });
  expect(next._meta).not.toEqual((await working)._meta);
});

test('X11 a session is loaded from the log: its whole thread is told, and goes on', async () => {
  const directory = await project({ answers: [{ text: 'One.' }, { text: 'Two.' }] });
  const first = await edited(directory, { loop: 'turn' });
  const { sessionId } = await first.open(directory);
  await first.prompt(sessionId, 'Count.');
  await first.prompt(sessionId, 'Again.');
  await first.close();
  const second = await edited(directory, { loop: 'turn' });
  await second.load(sessionId, directory);
  expect(textOf(second.updates, 'user_message_chunk')).toBe('Count.Again.');
  expect(textOf(second.updates)).toMatch(/One\.\s+success: .*\nOne\.\s+success: /);
  expect((await second.prompt(sessionId, 'Once more.')).stopReason).toBe('end_turn');
  await expect(second.load('01a227f9-2817-7276-b02e-39ed35e86341', directory)).rejects.toThrow('no run of this folder');
});

test('X11 a mode chooses the loop, and what stands in the way of a run answers the prompt', async () => {
  const directory = await project({ answers: [{ text: 'Done.' }] });
  const { open, prompt, setMode } = await edited(directory, {});
  const { sessionId, modes } = await open(directory);
  expect(modes?.availableModes.map(({ id }) => id)).toEqual([
    'configured',
    'turn',
    'iteration',
    'ralph',
    'improvement',
    'contest',
  ]);
  await setMode(sessionId, 'turn');
  expect((await prompt(sessionId, 'Say so.')).stopReason).toBe('end_turn');
  await expect(setMode(sessionId, 'x')).rejects.toThrow('no mode x');
  const other = await edited(directory, { tools: 'wrte' });
  const opened = await other.open(directory);
  await expect(other.prompt(opened.sessionId, 'Say so.')).rejects.toThrow('Did you mean write?');
});

test('X9 an editor asks about a call, and what its person allows for the run is not asked again', async () => {
  const echo = { tool: 'shell', arguments: { command: 'echo red > wall.txt' } };
  const directory = await project({
    answers: [{ calls: [echo] }, { calls: [echo] }, { calls: [echo] }, { text: 'Painted.' }],
  });
  const flags = { loop: 'turn', permission: ['ask shell'] };
  const { open, asked, prompt } = await edited(directory, flags, () => 'approve_in_run');
  const { sessionId } = await open(directory);
  expect((await prompt(sessionId, 'Paint the wall.')).stopReason).toBe('end_turn');
  expect(asked).toEqual([expect.stringContaining('this call of shell: echo red > wall.txt, once')]);
  expect(await readFile(join(directory, 'wall.txt'), 'utf8')).toBe('red\n');
  expect(await rulersIn(directory)).toEqual([{ ...(await localUser(directory)), door: 'editor' }]);
});

test('X11 the conversations of a folder are listed, each by its first message, the newest first', async () => {
  const directory = await project({ answers: [{ text: 'Hello.' }] });
  const { open, list, prompt } = await edited(directory, { loop: 'turn' });
  expect(await list(directory)).toEqual({ sessions: [] });
  const [first, second] = [await open(directory), await open(directory)];
  await prompt(first.sessionId, 'Greet me.');
  await prompt(second.sessionId, 'And me.');
  await prompt(first.sessionId, 'Again.');
  const { sessions } = await list(directory);
  expect(sessions.map(({ sessionId, title, cwd }) => [sessionId, title, cwd])).toEqual([
    [first.sessionId, 'Greet me.', directory],
    [second.sessionId, 'And me.', directory],
  ]);
});
