import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_REPORTED } from '../../machines/agent-report.ts';
import type { LoopEvent } from '../../machines/events.ts';
import { isUnanswered } from '../../machines/outcome.ts';
import { agentActor } from '../../src/agents/agent-actor.ts';
import { endingOf } from '../../src/agents/agent-ending.ts';
import type { AgentEnding } from '../../src/agents/agent-ending.ts';
import type { AgentEvent } from '../../src/agents/agent-port.ts';
import { Meter } from '../../src/agents/meter/meter.ts';
import { folder } from './driven.ts';

interface Played {
  readonly ending?: AgentEnding;
  readonly stop?: AbortController;
  readonly works?: (directory: string) => void;
}

/** What is recorded of an agent with these events. */
async function recorded(events: readonly AgentEvent[], { stop, works, ...played }: Played = {}) {
  const directory = folder();
  execFileSync('git', ['init', '-q', directory]);
  const { ending = endingOf('stopped') } = played;
  const actor = agentActor(
    async function* plays() {
      works?.(directory);
      stop?.abort('abort');
      yield* events;
      yield { kind: 'ended', ending };
    },
    'plays',
    { meter: new Meter(), doors: [], servers: [] },
  );
  const facts: LoopEvent[] = [];
  const shown: string[] = [];
  const delta = ({ text }: { text: string }) => shown.push(text);
  const call = { id: 'r/1/1', attempt: 1, signal: (stop ?? new AbortController()).signal, delta };
  const allowed = { tokens: null, nanoUsd: null };
  const input = {
    run: 'r',
    prompt: 'Write it.',
    directory,
    passes: [],
    allowed,
    priceOf: async () => null,
    walls: null,
    step: 0,
    reports: 0,
    lets: async () => true,
    ruling: () => ({ action: 'allow', because: '', digest: '', remembers: [] }) as const,
  };
  for await (const fact of actor.execute(input, call)) facts.push(fact);
  return { facts, shown: shown.join(''), result: facts.at(-1) };
}

const call = (id: string, status: 'in_progress' | 'completed'): AgentEvent => ({
  kind: 'call',
  reported: { call: id, title: 'npm test', kind: 'execute', status },
});
const says = (text: string): AgentEvent => ({ kind: 'message', text });

test('X1 a long silence of an agent is a warning, with its length and the time at which it is ended', async () => {
  const { facts } = await recorded([{ kind: 'quiet', ms: 300_000 }, says('done')]);
  const [warning] = facts.filter(({ type }) => type === 'warning.raised');
  expect(warning?.payload).toMatchObject({ code: 'agent_quiet', message: expect.stringMatching(/5m.*15m/) });
});

test('X1 the last message is the answer, and the session, the calls and the usage are its report', async () => {
  const usage = { inputTokens: 10, outputTokens: 2, costUsd: 0.5 };
  const { result, shown } = await recorded([
    { kind: 'session', id: 's-1', agent: 'fake 1' },
    says('I look.'),
    call('c1', 'in_progress'),
    call('c1', 'completed'),
    says('All '),
    says('done.'),
    { kind: 'usage', usage },
  ]);
  expect(result).toEqual({
    type: 'model.completed',
    payload: {
      text: 'All done.',
      calls: [],
      usage: { inputTokens: 10, outputTokens: 2, cost: { nanoUsd: 500_000_000 } },
      model: 'plays',
      continuity: { session: 's-1' },
      agent: {
        name: 'plays',
        product: 'fake 1',
        session: 's-1',
        stop: 'stopped',
        calls: [{ call: 'c1', title: 'npm test', kind: 'execute', status: 'completed' }],
        permissions: [],
        usage: 'reported',
        idle: true,
      },
    },
  });
  expect(shown).toContain('All done.');
  expect(shown).toContain('[execute: npm test, completed]');
});

test('X1 an agent that has changed no file is said to have done nothing, and one that has is not', async () => {
  const warnings = (facts: readonly LoopEvent[]) =>
    facts.flatMap(({ type, payload }) => (type === 'warning.raised' ? [payload.code] : []));
  const idle = await recorded([says('Done.')]);
  const busy = await recorded([says('Done.')], { works: (directory) => writeFileSync(join(directory, 'a.txt'), 'a') });
  expect(warnings(idle.facts)).toEqual(['agent_idle']);
  expect(warnings(busy.facts)).toEqual([]);
});

test('X1 of more calls than a report has, the newest are in it, and the others are counted', async () => {
  const calls = Array.from({ length: MAX_REPORTED + 7 }, (_, index) => call(`c${index}`, 'completed'));
  const { result } = await recorded(calls);
  const agent = result?.type === 'model.completed' ? result.payload.agent : undefined;
  expect([agent?.calls.length, agent?.leftOut, agent?.calls.at(-1)?.call]).toEqual([MAX_REPORTED, 7, 'c206']);
});

test.each([
  ['refused', true],
  ['cut-off', true],
  ['many-requests', true],
  ['silent', true],
  ['flooded', true],
  ['asked-too-often', true],
  ['crashed', true],
  ['not-installed', false],
  ['not-logged-in', false],
  ['too-old', false],
  ['failed', false],
  ['not-started', false],
] as const)('X1 after an agent that is %s another attempt follows: %s', async (code, follows) => {
  const { result } = await recorded([], { ending: endingOf(code) });
  const fault = result?.type === 'model.failed' ? result.payload.fault : null;
  expect(fault).not.toBeNull();
  expect(isUnanswered({ ending: 'abort', cause: 'error', fault })).toBe(follows);
});

test('X1 an agent that was told to stop is interrupted, with what it had said', async () => {
  const { result } = await recorded([says('I look.')], { stop: new AbortController(), ending: endingOf('cancelled') });
  const payload = { reason: 'abort', text: 'I look.', usage: { inputTokens: 0, outputTokens: 0 } };
  expect(result).toEqual({ type: 'model.interrupted', payload });
});

test('X5 what it does is an event while it works, and its newest message is one when it is stopped', async () => {
  const stop = new AbortController();
  const { facts } = await recorded(
    [{ kind: 'session', id: 's-1', agent: null }, call('c1', 'in_progress'), says('I wait.')],
    { stop, ending: endingOf('cancelled') },
  );
  expect(facts.flatMap(({ type, payload }) => (type === 'agent.worked' ? [payload] : []))).toEqual([
    { session: { id: 's-1' } },
    { said: ['I wait.'], calls: [{ call: 'c1', title: 'npm test', kind: 'execute', status: 'in_progress' }] },
  ]);
  expect(facts.at(-1)?.type).toBe('model.interrupted');
});

test('X5 a call that had no end when its agent failed is interrupted', async () => {
  const { result } = await recorded([call('c1', 'in_progress')], { ending: endingOf('silent') });
  const agent = result?.type === 'model.failed' ? result.payload.agent : undefined;
  expect(agent?.calls.map(({ status }) => status)).toEqual(['interrupted']);
});
