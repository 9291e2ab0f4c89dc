import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentNamed } from '../../src/agents/agent-by-name.ts';
import { PRESETS } from '../../src/agents/agent-name.ts';
import type { Agent } from '../../src/agents/agent-port.ts';
import { oneShotAgent } from '../../src/agents/one-shot/one-shot-agent.ts';
import { readClaude } from '../../src/agents/one-shot/read-claude.ts';
import { readCodex } from '../../src/agents/one-shot/read-codex.ts';
import { quoted } from '../../src/text/shell-words.ts';
import { drive } from './driven.ts';

const called = (name: string): Agent => {
  const agent = agentNamed(name);
  if (!agent) throw new Error(`no agent ${name}`);
  return agent;
};

/** A command that prints these lines. */
const printing = (reading: typeof readClaude, lines: readonly object[], exitCode = 0): Agent =>
  oneShotAgent({
    command: `printf '%s\\n' ${lines.map((line) => quoted(JSON.stringify(line))).join(' ')}; exit ${exitCode}`,
    environment: {},
    reading,
  });

test.each(['cmd:cat > got', 'cmd:cp {file} got', "cmd:printf '%s\\n' {task} > got"])(
  'X2 %s gets any task as it is',
  (name) =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        const prompt = `a${text.replaceAll('\0', '')}`.toWellFormed();
        const { directory, ending } = await drive(called(name), { prompt });
        expect(ending.code).toBe('stopped');
        expect(readFileSync(join(directory, 'got'), 'utf8').trimEnd()).toBe(prompt.trimEnd());
      }),
      { numRuns: 5 },
    ),
);

test('X2 a task that is too long for an argument is refused before anything starts', async () => {
  const { ending } = await drive(called('cmd:echo {task} > got'), { prompt: 'é'.repeat(70_000) });
  expect(ending.code).toBe('not-started');
});

test('X2 a command says what it prints, and its exit code is no proof', async () => {
  const { events, ending } = await drive(called('cmd:echo one; printf two'));
  expect(events.slice(0, -1)).toEqual([
    { kind: 'message', text: 'one\n' },
    { kind: 'message', text: 'two\n' },
  ]);
  expect(ending.code).toBe('stopped');
});

test.each([
  ['exit 3', 'crashed'],
  ['no-such-program-here', 'not-installed'],
  ['kill -9 $$', 'crashed'],
  ['echo "Not logged in" >&2; exit 1', 'not-logged-in'],
  ["head -c 20000000 /dev/zero | tr '\\0' x", 'flooded'],
])('X2 the command %s ends as %s', async (command, code) =>
  expect((await drive(called(`cmd:${command}`))).ending.code).toBe(code),
);

test('X2 silence, time and a signal end a command with all that it started', async () => {
  const sleeping = called('cmd:setsid sleep 1000 & sleep 1000');
  const aborted = { signal: AbortSignal.timeout(300) };
  const silent = await drive(sleeping, { silenceMs: 300 });
  expect(silent.ending.code).toBe('silent');
  // It is told once, before it ends the agent.
  expect(silent.events.map(({ kind }) => kind)).toEqual(['quiet', 'ended']);
  expect((await drive(sleeping, { timeMs: 300 })).ending.code).toBe('timed-out');
  expect((await drive(sleeping, aborted)).ending.code).toBe('cancelled');
});

test('X2 the lines of Claude Code are a session, calls, messages and usage', async () => {
  const of = (content: object) => ({ message: { content: [content] } });
  const agent = printing(readClaude, [
    { type: 'system', subtype: 'init', session_id: 's-1', claude_code_version: '2.1' },
    { type: 'assistant', ...of({ type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'npm test' } }) },
    { type: 'user', ...of({ type: 'tool_result', tool_use_id: 'c1', is_error: true }) },
    { type: 'assistant', ...of({ type: 'text', text: 'Done.' }) },
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      total_cost_usd: 0.25,
      usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 3 },
    },
  ]);
  const { events, ending } = await drive(agent);
  const call = { call: 'c1', title: 'Bash npm test', kind: 'execute' };
  expect(events.slice(0, -1)).toEqual([
    { kind: 'session', id: 's-1', agent: '2.1' },
    { kind: 'call', reported: { ...call, status: 'in_progress' } },
    { kind: 'call', reported: { ...call, status: 'failed' } },
    { kind: 'message', text: 'Done.' },
    { kind: 'usage', usage: { inputTokens: 15, outputTokens: 3, costUsd: 0.25 } },
  ]);
  expect(ending.code).toBe('stopped');
});

test.each([
  [{ subtype: 'success', is_error: true, result: 'API Error: 402 budget reached' }, 'failed'],
  [{ subtype: 'success', is_error: true, result: 'Invalid API key · Please run /login' }, 'not-logged-in'],
  [{ subtype: 'error_max_turns', is_error: true }, 'many-requests'],
])('X2 the result %j of Claude Code is the ending %s', async (result, code) => {
  const { ending } = await drive(printing(readClaude, [{ type: 'result', ...result }], 1));
  expect(ending.code).toBe(code);
});

test('X2 the lines of Codex are a session, calls, messages and usage', async () => {
  const command = { id: 'i1', type: 'command_execution', command: 'npm test' };
  const agent = printing(readCodex, [
    { type: 'thread.started', thread_id: 't-1' },
    { type: 'item.completed', item: { id: 'i0', type: 'error', message: 'a warning' } },
    { type: 'item.started', item: { ...command, status: 'in_progress' } },
    { type: 'item.completed', item: { ...command, status: 'completed' } },
    { type: 'item.completed', item: { id: 'i2', type: 'agent_message', text: 'Done.' } },
    { type: 'turn.completed', usage: { input_tokens: 10, output_tokens: 3 } },
  ]);
  const { events, ending } = await drive(agent);
  const call = { call: 'i1', title: 'npm test', kind: 'execute' };
  expect(events.slice(0, -1)).toEqual([
    { kind: 'session', id: 't-1', agent: null },
    { kind: 'call', reported: { ...call, status: 'in_progress' } },
    { kind: 'call', reported: { ...call, status: 'completed' } },
    { kind: 'message', text: 'Done.\n' },
    { kind: 'usage', usage: { inputTokens: 10, outputTokens: 3, costUsd: null } },
  ]);
  expect(ending.code).toBe('stopped');
});

test('X2 a failed turn of Codex has failed', async () => {
  const { ending } = await drive(printing(readCodex, [{ type: 'turn.failed', error: { message: 'overloaded' } }], 1));
  expect([ending.code, ending.reason]).toEqual(['failed', 'overloaded']);
});

test.each(PRESETS.map(({ name }) => name))('X2 %s that is not installed says what installs it', async (name) => {
  const { ending } = await drive(called(name), {
    cell: { enter: (command, environment) => ({ command: `PATH=/no/such/folder; ${command}`, environment }) },
  });
  expect(ending.code).toBe('not-installed');
  expect(ending.reason).toContain('npm install');
});

test.each(['', 'acp:', 'cmd: ', 'goose', 'acp goose', 'claude/'])('X2 %j is no name of an agent', (name) =>
  expect(agentNamed(name)).toBeNull(),
);
