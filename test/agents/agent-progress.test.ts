import { expect, test } from 'vitest';
import { MAX_AGENT_EVENTS_A_STEP, MAX_AGENT_PARTS } from '../../machines/agent-report.ts';
import { LoopEvent } from '../../machines/events.ts';
import type { AgentEvent, CallStatus } from '../../src/agents/agent-port.ts';
import { AgentProgress } from '../../src/agents/agent-progress.ts';

const call = (id: string, status: CallStatus = 'in_progress', title = 'npm test'): AgentEvent => ({
  kind: 'call',
  reported: { call: id, title, kind: 'execute', status },
});
const says = (text: string): AgentEvent => ({ kind: 'message', text });
const taking = (told: number, ...events: readonly AgentEvent[]) => {
  const progress = new AgentProgress(told);
  for (const event of events) progress.take(event);
  return progress;
};

test('X1 a session is told at once, and what follows a second later, together', () => {
  const progress = taking(0, { kind: 'session', id: 's-1', agent: 'fake 1' });
  expect(progress.wait(0)).toBe(0);
  expect([...progress.tell(0)]).toEqual([
    { type: 'agent.worked', payload: { session: { id: 's-1', product: 'fake 1' } } },
  ]);
  expect(progress.wait(10)).toBeNull();
  for (const event of [says('I look.'), call('c1'), call('c1', 'completed'), call('c2')]) progress.take(event);
  expect(progress.wait(100)).toBe(1_000);
  expect([...progress.tell(1_100)]).toEqual([
    {
      type: 'agent.worked',
      payload: {
        said: ['I look.'],
        calls: [
          { call: 'c1', title: 'npm test', kind: 'execute', status: 'completed' },
          { call: 'c2', title: 'npm test', kind: 'execute', status: 'in_progress' },
        ],
      },
    },
  ]);
});

test('X1 a plan and the answers to its questions are told', () => {
  const question = { call: 'c1', title: 'npm test', kind: 'execute', paths: [], input: null } as const;
  const progress = taking(
    0,
    { kind: 'plan', steps: [{ text: 'look', status: 'pending' }] },
    { kind: 'permission', question, answer: 'refused' },
  );
  const [event] = progress.tell(0);
  expect(event?.payload).toEqual({
    permissions: [{ call: 'c1', title: 'npm test', kind: 'execute', answer: 'refused' }],
    plan: [{ text: 'look', status: 'pending' }],
  });
});

test('X1 a message that has not ended is told with the last event alone', () => {
  const progress = taking(0, says('I am'));
  expect(progress.wait(0)).toBeNull();
  expect([...progress.tell(0, true)].map(({ payload }) => payload)).toEqual([{ said: ['I am'] }]);
});

test('X1 of one event the newest parts are told, each cut, and the others are counted', () => {
  const long = 'x'.repeat(5_000);
  const calls = Array.from({ length: MAX_AGENT_PARTS + 3 }, (_, index) => call(`c${index}`, 'completed', long));
  const [event] = taking(0, says(long), ...calls).tell(0);
  expect(LoopEvent.safeParse(event).success).toBe(true);
  expect(event?.payload.calls?.map((one) => one.call)).toEqual(
    Array.from({ length: MAX_AGENT_PARTS }, (_, index) => `c${index + 3}`),
  );
  expect(event?.payload.leftOut).toBe(3);
  expect(event?.payload.said?.[0]?.length).toBeLessThanOrEqual(2_000);
  expect(event?.payload.calls?.[0]?.title.length).toBeLessThanOrEqual(300);
});

test('X1 a step that has told as much as it may tells no more, and hours pass before that', () => {
  expect(taking(MAX_AGENT_EVENTS_A_STEP, call('c1')).wait(0)).toBeNull();
  const progress = taking(0);
  let now = 0;
  for (let count = 0; count < MAX_AGENT_EVENTS_A_STEP; count += 1) {
    progress.take(call(`c${count}`));
    now += progress.wait(now) ?? NaN;
    expect([...progress.tell(now)]).toHaveLength(1);
  }
  progress.take(call('last'));
  expect([...progress.tell(now + 1_000_000, true)]).toEqual([]);
  expect(now).toBeGreaterThan(3 * 3_600_000);
});

test('X1 beyond a mebibyte of an attempt only a session is told', () => {
  const progress = taking(0);
  let bytes = 0;
  for (let count = 0; bytes < 1_024 * 1_024; count += 1) {
    for (let one = 0; one < MAX_AGENT_PARTS; one += 1) {
      progress.take(says('x'.repeat(2_000)));
      progress.take(call(`c${one}`));
    }
    const [event] = progress.tell(count * 1_000_000);
    expect(event).toBeDefined();
    bytes += JSON.stringify(event?.payload).length;
  }
  progress.take(call('c1'));
  expect(progress.wait(1e12)).toBeNull();
  progress.take({ kind: 'session', id: 's-2', agent: null });
  expect([...progress.tell(1e12)].map(({ payload }) => payload)).toEqual([{ session: { id: 's-2' } }]);
});
