import { describe, expect, test } from 'vitest';
import type { EventOf } from '../../machines/events.ts';
import { ModelError, type ModelAnswer, type ModelRequest } from '../../src/actors/model/model.ts';
import { tokensOf } from '../../src/budget/limit-use.ts';
import { lifeOf } from '../../src/kernel/fold.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { createHarness } from '../support/harness.ts';
import { note, verdicts } from '../support/stand-ins.ts';

const RESERVE = 1_000;
const isSummary = ({ tools, messages: [first] }: ModelRequest) =>
  tools.length === 0 && first?.role === 'user' && first.text.startsWith('The work below was ended by a limit');

/** Works until it is stopped, and sums up in its own way. */
function working(sumUp: (request: ModelRequest) => Promise<ModelAnswer>) {
  const asked: ModelRequest[] = [];
  const answer = async (request: ModelRequest): Promise<ModelAnswer> => {
    if (isSummary(request)) {
      asked.push(request);
      return sumUp(request);
    }
    return {
      text: 'on',
      calls: [{ tool: 'note', arguments: { step: request.step } }],
      usage: { inputTokens: 400, outputTokens: 50 },
    };
  };
  return {
    asked,
    harness: createHarness({ tools: [note], services: { verify: verdicts(false) }, model: { name: 'worker', answer } }),
  };
}

const told: ModelAnswer = { text: 'Half of it is done.', usage: { inputTokens: 300, outputTokens: 20 } };
const writtenIn = (facts: readonly { type: string; payload: unknown }[]) =>
  facts
    .filter(({ type }) => type === 'summary.written')
    .map(({ payload }) => payload as EventOf<'summary.written'>['payload']);

const given = { detectors: ['off'], maxTokens: 4_000, maxToolCalls: 'none', summaryTokens: RESERVE } as const;

describe('T12 a model sums up what a limit has ended', () => {
  test.each([
    ['tokens', { ...given, detectors: ['off'] }, /^token budget exhausted \(\d+\/4000, 1000 set aside; /],
    ['steps', { ...given, detectors: ['off'], maxSteps: 2 }, /^step limit reached \(2\/2\)/],
    ['tool calls', { ...given, detectors: ['off'], maxToolCalls: 2 }, /^tool budget exhausted \(2\/2\)/],
  ])('T12 after %s: the sentinel first, then its words, within what was set aside', async (_limit, asked, sentinel) => {
    const { harness, asked: requests } = working(async () => told);
    const { facts, spend, run } = await harness.play(asked);
    const [written] = writtenIn(facts);
    expect(written?.text).toMatch(sentinel);
    expect(written?.text.split('\n\n').at(-1)).toBe('Half of it is done.');
    expect(written?.usage).toEqual(told.usage);
    expect(requests).toHaveLength(1);
    expect(tokensOf(spend)).toBeLessThanOrEqual(given.maxTokens);
    const rebuilt = await rebuild(harness.log, run);
    expect(rebuilt.kind === 'loaded' && lifeOf(rebuilt.state).spend).toEqual(spend);
  });

  test('T12 what is set aside is not for the work, and bounds what goes in and comes out', async () => {
    const { harness, asked } = working(async () => told);
    const { outcome, spend } = await harness.play({ ...given, detectors: ['off'], prompt: 'x'.repeat(2_000) });
    if (outcome.ending !== 'budget') throw new Error('it ends by its budget');
    const worked = tokensOf(spend) - 320;
    expect(outcome.limit).toMatchObject({ used: worked, reserved: RESERVE });
    const [request] = asked;
    const [message] = request?.messages ?? [];
    const goesIn = Math.ceil((message?.role === 'user' ? message.text.length : 0) / 4);
    expect(goesIn).toBeLessThanOrEqual(RESERVE / 2 + 20);
    expect(goesIn + (request?.maxOutputTokens ?? 0)).toBe(RESERVE);
  });

  test('T12 it is asked as the run is, and an answer that is cut off says so', async () => {
    const { harness, asked } = working(async () => ({ ...told, text: 'Half of it is', cut: 'length' }));
    const how = { effort: 'low', temperature: 0.5, maxAnswerTokens: 64 } as const;
    const { facts } = await harness.play({ ...given, ...how, detectors: ['off'], maxSteps: 1 });
    expect(asked).toMatchObject([{ parameters: { effort: 'low', temperature: 0.5 }, maxOutputTokens: 64 }]);
    expect(writtenIn(facts)[0]?.text).toMatch(/Half of it is\n\n\[This summary was cut off here\.\]$/);
    expect(facts.filter(({ type }) => type === 'warning.raised').map(({ payload }) => payload)).toContainEqual({
      code: 'summary_cut',
      message: expect.stringContaining('summaryTokens'),
    });
  });

  test('T12 a model that fails leaves the sentinel alone, and what it used counts', async () => {
    const { harness } = working(() =>
      Promise.reject(new ModelError('provider_unavailable', 'gone', { inputTokens: 30, outputTokens: 0 })),
    );
    const { facts } = await harness.play({ ...given, detectors: ['off'], maxSteps: 1 });
    const [written] = writtenIn(facts);
    expect(written?.text).toMatch(/^step limit reached \(1\/1\), after 1 step, 1 tool call, 450 tokens$/);
    expect(written?.usage).toEqual({ inputTokens: 30, outputTokens: 0 });
  });

  test('T12 without counted usage the whole reservation counts', async () => {
    const { harness } = working(() => Promise.reject(new Error('what?')));
    const { facts, spend } = await harness.play({ ...given, detectors: ['off'], maxSteps: 1 });
    const [written] = writtenIn(facts);
    expect(written?.usage).toMatchObject({ estimated: true });
    expect(tokensOf(spend)).toBe(450 + RESERVE);
  });

  test('T12 no model is asked about a success, or without a reservation', async () => {
    const { harness, asked } = working(async () => told);
    await harness.play({ ...given, detectors: ['off'], maxSteps: 1, summaryTokens: 0 });
    const done = createHarness({ model: { answers: [{ text: 'done' }] } });
    const { facts } = await done.play({ summaryTokens: RESERVE, maxTokens: 4_000 });
    expect(writtenIn(facts)[0]?.usage).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('T12 a loop sums up once, not each of its attempts', async () => {
    const { harness, asked } = working(async () => told);
    const { facts } = await harness.play({
      ...given,
      detectors: ['off'],
      loop: 'iteration',
      checks: ['false'],
      maxSteps: 1,
      maxIterations: 2,
    });
    expect(asked).toHaveLength(1);
    expect(writtenIn(facts)[0]?.text).toMatch(/^iteration limit reached \(2\/2\)[^]*Half of it is done\.$/);
  });
});
