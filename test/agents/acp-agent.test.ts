import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentEvent, PermissionQuestion } from '../../src/agents/agent-port.ts';
import { isDead } from '../support/is-dead.ts';
import { drive, playing } from './driven.ts';

const isWritten = (directory: string) => existsSync(join(directory, 'hello.txt'));
const textOf = (events: readonly AgentEvent[]) =>
  events.map((event) => (event.kind === 'message' ? event.text : '')).join('');
const statusesOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.kind === 'call' ? [event.reported.status] : []));

test('X1 a session, a plan, a thought, a call, a message and usage are events, and then it has stopped', async () => {
  const { events, ending, directory } = await drive(playing('works'));
  expect(events.map(({ kind }) => kind)).toEqual(
    ['session', 'plan', 'thought', 'call', 'call', 'message', 'usage', 'ended'], //
  );
  expect(events[0]).toEqual({ kind: 'session', id: 's1', agent: 'fake 1' });
  expect(events[4]).toEqual({
    kind: 'call',
    reported: { call: 't1', title: 'write hello.txt', kind: 'edit', status: 'completed' },
  });
  expect(ending).toEqual({ code: 'stopped', message: 'the agent stopped by itself', reason: null });
  expect(isWritten(directory)).toBe(true);
});

test('X1 what arrives behind the answer is told', async () => {
  const { events } = await drive(playing('late'));
  expect(statusesOf(events)).toEqual(['in_progress', 'completed']);
});

test.each([
  ['idles', 'stopped'],
  ['refuses', 'refused'],
  ['limited', 'cut-off'],
  ['invents', 'failed'],
  ['locked', 'not-logged-in'],
  ['broken', 'failed'],
  ['logged out', 'not-logged-in'],
  ['other version', 'too-old'],
  ['dies', 'crashed'],
  ['half a line', 'crashed'],
  ['wrong ids', 'refused'],
  ['junk', 'stopped'],
  ['floods', 'flooded'],
  ['dies at initialize', 'crashed'],
  ['dies at session/new', 'crashed'],
  ['dies at session/prompt', 'crashed'],
])('X1 an agent that %s has the ending %s', async (story, code) =>
  expect((await drive(playing(story))).ending.code).toBe(code),
);

test('X1 the end of what it printed as errors is the reason of a crash', async () => {
  const { ending } = await drive(playing('dies'));
  expect(ending.reason).toBe('exit code 3\nout of memory');
});

test.each([
  ['allowed', true],
  ['refused', false],
] as const)('X1 where permission is %s, the file is written: %s', async (answer, isThere) => {
  const questions: PermissionQuestion[] = [];
  const { events, ending, directory } = await drive(playing('asks'), {
    permit: (question) => {
      questions.push(question);
      return Promise.resolve(answer);
    },
  });
  expect(questions).toEqual([
    { call: 't1', title: 'write hello.txt', kind: 'edit', input: null, paths: [join(directory, 'hello.txt')] },
  ]);
  expect(events.flatMap((event) => (event.kind === 'permission' ? [event.answer] : []))).toEqual([answer]);
  expect(ending.code).toBe('stopped');
  expect(isWritten(directory)).toBe(isThere);
});

test('X1 a question for ever ends the agent', async () => {
  const { ending } = await drive(playing('asks for ever'), { permit: () => Promise.resolve('refused') });
  expect(ending.code).toBe('asked-too-often');
});

test('X1 a question that waits when the agent is told to stop is cancelled, and the agent may stop', async () => {
  const stop = new AbortController();
  const { events, ending } = await drive(playing('asks'), {
    signal: stop.signal,
    permit: () => {
      stop.abort();
      return new Promise(() => {});
    },
  });
  expect(events.flatMap((event) => (event.kind === 'permission' ? [event.answer] : []))).toEqual(['cancelled']);
  expect(ending.code).toBe('cancelled');
});

test('X1 silence while a question waits for its answer is ours', async () => {
  const { ending } = await drive(playing('asks'), {
    silenceMs: 2_000,
    permit: () => new Promise((resolve) => setTimeout(() => resolve('allowed'), 3_000)),
  });
  expect(ending.code).toBe('stopped');
});

test('X1 no file of ours is offered', async () => {
  const { events } = await drive(playing('asks files'));
  expect(textOf(events)).toContain('-32601');
});

test('X1 silence and time end an agent', async () => {
  expect((await drive(playing('silent'), { silenceMs: 1_500 })).ending.code).toBe('silent');
  expect((await drive(playing('silent'), { timeMs: 1_500 })).ending.code).toBe('timed-out');
});

test.each(['cancels', 'ignores cancel'])('X1 an agent that %s is gone when its work has ended', async (story) => {
  const stop = new AbortController();
  const { ending } = await drive(
    (task) => stopping(playing(story)(task), stop), //
    { signal: stop.signal },
  );
  expect(ending.code).toBe('cancelled');
});

test('X1 what an agent leaves running is ended with it', async () => {
  const { events } = await drive(playing('leaves'));
  const pid = Number(textOf(events));
  expect(pid).toBeGreaterThan(1);
  // One that is ending has no environment any more, and is not dead yet.
  await expect.poll(() => isDead(pid)).toBe(true);
});

/** Tells an agent to stop at its first message. */
async function* stopping(events: AsyncIterable<AgentEvent>, stop: AbortController): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (event.kind === 'message') stop.abort();
    yield event;
  }
}

test.each([
  ['resumes', 's0: Go on.'],
  ['loads', 's0: Go on.'],
  ['forgets', 's1: Write hello.txt.'],
  ['works', 'done'],
])('X5 asked to continue a session, an agent that %s says "%s"', async (story, said) => {
  const { events, ending } = await drive(playing(story), { session: { id: 's0', prompt: 'Go on.' } });
  expect(textOf(events)).toBe(said);
  expect(ending.code).toBe('stopped');
});

test('X5 the continued session is told', async () => {
  const { events } = await drive(playing('resumes'), { session: { id: 's0', prompt: 'Go on.' } });
  expect(events[0]).toEqual({ kind: 'session', id: 's0', agent: 'fake 1' });
});

test('X5 a call that is reported as completed after the agent was told to stop is not believed', async () => {
  const stop = new AbortController();
  const { events } = await drive((task) => stopping(playing('cancelled as completed')(task), stop), {
    signal: stop.signal,
  });
  expect(statusesOf(events)).toEqual(['in_progress']);
});
