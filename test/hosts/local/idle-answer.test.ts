import { describe, expect, test } from 'vitest';
import { exitOf } from '../../../src/cli/terminal/exit-status.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { WIRES } from '../../support/model-server/on-each-wire.ts';
import type { ServerScript } from '../../support/model-server/script.ts';
import { runOn } from './run-on.ts';

// Each of these answers ended a run in success, status 0, with nothing done and nothing said.

const EMPTY = { text: '' };
const BLANK = { text: ' \n\t' };
const THOUGHT = { reasoning: 'I should edit the file, and then…' };
const PROMISED = { text: 'Let me run the tests:', end: 'calls' as const };
const AS_TEXT = { text: '<tool_call>\n{"name": "list", "arguments": {"path": "."}}\n</tool_call>' };
const LIST = { calls: [{ tool: 'list', arguments: { path: '.' } }] };
const DONE = { text: 'All done.' };

const turnOn = (model: string, answers: ServerScript['answers'], more: Partial<RunOptions> = {}) =>
  runOn(model, { answers }, { tools: ['list'], ...more });

const isIdle = (cut: 'empty' | 'promised') => ({ type: 'model.completed', payload: { cut } });
const bodyOf = (request: { readonly body: unknown } | undefined) => JSON.stringify(request?.body);

describe.each(WIRES)('%s', (model) => {
  test.each([
    ['is empty', EMPTY, 'answer-empty', 'neither text nor a tool call'],
    ['is blank', BLANK, 'answer-empty', 'neither text nor a tool call'],
    ['is reasoning alone', THOUGHT, 'answer-empty', 'neither text nor a tool call'],
    ['promises a call', PROMISED, 'call-promised', 'go through the tool interface'],
    ['writes its call as text', AS_TEXT, 'call-promised', 'go through the tool interface'],
  ])('G13 an answer that %s is asked again twice, then the turn ends in abort', async (_, answer, code, line) => {
    const { outcome, requests, facts, warnings } = await turnOn(model, [answer, answer, answer, DONE]);

    expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code } });
    expect(exitOf(outcome, false)).toBe(13);
    expect(requests).toHaveLength(3);
    expect(bodyOf(requests[0])).not.toContain(line);
    for (const request of requests.slice(1)) expect(bodyOf(request)).toContain(line);
    const cut = code === 'answer-empty' ? 'empty' : 'promised';
    expect(facts.filter(({ type }) => type === 'model.completed')).toMatchObject(Array(3).fill(isIdle(cut)));
    expect(warnings).toEqual(Array(3).fill(cut === 'empty' ? 'answer_empty' : 'call_promised'));
  });

  test('G13 an answer after that is the answer', async () => {
    const { outcome, requests } = await turnOn(model, [THOUGHT, PROMISED, DONE]);

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(3);
    // OpenAI and Anthropic refuse reasoning that nothing follows.
    for (const request of requests) expect(bodyOf(request)).not.toContain(THOUGHT.reasoning);
  });

  test('G13 work before an empty answer does not make it an answer', async () => {
    const { outcome, requests, facts } = await turnOn(model, [LIST, EMPTY]);

    expect(outcome).toMatchObject({ ending: 'abort', fault: { code: 'answer-empty' } });
    expect(requests).toHaveLength(4);
    expect(facts.filter(({ type }) => type === 'tool.completed')).toHaveLength(1);
  });

  test('G13 calls between empty answers begin their count anew', async () => {
    const { outcome, requests } = await turnOn(model, [EMPTY, EMPTY, LIST, EMPTY, EMPTY, DONE]);

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(6);
  });

  test('G13 a text-only turn without any text is asked again, and then ends so too', async () => {
    const said = await turnOn(model, [EMPTY, THOUGHT, DONE], { maxSteps: 0 });
    expect(said.outcome).toMatchObject({ ending: 'success' });
    expect(said.requests).toHaveLength(3);

    for (const answer of [THOUGHT, LIST, AS_TEXT]) {
      const { outcome, requests } = await turnOn(model, [answer], { maxSteps: 0 });
      expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: 'answer-empty' } });
      expect(exitOf(outcome, false)).toBe(13);
      expect(requests).toHaveLength(3);
      expect(bodyOf(requests[1])).toContain('answer in text');
    }
  });

  test('G13 a text-only turn with a text has its answer, whatever it promises beside', async () => {
    const { outcome, requests } = await turnOn(model, [PROMISED], { maxSteps: 0 });

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(1);
  });

  test('G13 a single word is an answer', async () => {
    const { outcome, requests } = await turnOn(model, [{ text: 'DONE' }]);

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(1);
  });
});

test('G13 reasoning that a server leaves in the text is an empty answer', async () => {
  const left = [
    { text: '<think>\nI should.\n</think>\n\n' },
    { text: 'I should.</think>' },
    { text: '<think>\nI should' },
  ];
  const { outcome, requests } = await turnOn('openai-chat/m', left);

  expect(outcome).toMatchObject({ ending: 'abort', fault: { code: 'answer-empty' } });
  expect(requests).toHaveLength(3);
});

test('G13 a call that a family is known to write as text runs as a real one', async () => {
  const { outcome, requests, facts } = await turnOn('openai-compatible/qwen3-coder', [
    { reasoning: 'I look.', text: `I look first.\n${AS_TEXT.text}` },
    DONE,
  ]);

  expect(outcome).toMatchObject({ ending: 'success' });
  expect(requests).toHaveLength(2);
  const [answer] = facts.filter(({ type }) => type === 'model.completed');
  expect(answer?.payload).toMatchObject({
    text: 'I look first.',
    calls: [{ callId: '0.0', providerId: null, tool: 'list', arguments: { path: '.' } }],
    callsFrom: 'text',
  });
  expect(answer?.payload).not.toHaveProperty('cut');
  expect(facts.filter(({ type }) => type === 'tool.completed')).toHaveLength(1);
  expect(bodyOf(requests[1])).toContain('"tool_calls"');
  expect(bodyOf(requests[1])).toContain('"reasoning_content":"I look."');
  expect(bodyOf(requests[1])).not.toContain('<tool_call>');
});

test('G13 for a loop of attempts it is a failed iteration, and the next is told why', async () => {
  const { root: directory } = await repository({ 'a.txt': 'a' });

  const { outcome, requests, facts } = await turnOn('anthropic/m', [EMPTY, EMPTY, EMPTY, DONE], {
    directory,
    loop: 'iteration',
    maxIterations: 2,
    checks: ['L1:test -f done.txt'],
  });

  expect(outcome).toMatchObject({ ending: 'cap_hit' });
  expect(facts.filter(({ type }) => type === 'iteration.started')).toHaveLength(2);
  expect(bodyOf(requests[3])).toContain('answered 3 times in a row with neither text nor a call');
});

test('G13 checks do not run on an answer that did nothing', async () => {
  const { root: directory } = await repository({ 'a.txt': 'a' });
  const { outcome, facts } = await turnOn('openai-chat/m', [EMPTY], {
    directory,
    checks: ['true'],
    checkIn: 'workspace',
  });

  expect(outcome).toMatchObject({ ending: 'abort', fault: { code: 'answer-empty' } });
  expect(facts.filter(({ type }) => type === 'verification.completed')).toEqual([]);
});

testInTurn('G13 a step cap ends a turn before it is asked again as often as it may be', async () => {
  const { outcome, requests } = await turnOn('openai-chat/m', [EMPTY], { maxSteps: 2 });

  expect(outcome).toMatchObject({ ending: 'cap_hit', limit: { name: 'steps', used: 2, limit: 2 } });
  expect(requests).toHaveLength(2);
});
