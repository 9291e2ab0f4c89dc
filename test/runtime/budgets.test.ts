import { describe, expect, test } from 'vitest';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import { addSpend, NO_SPEND } from '../../machines/outcome.ts';
import { ModelError } from '../../src/actors/model/model.ts';
import type { ScriptedAnswer } from '../../src/actors/model/script.ts';
import type { RunOptions } from '../../src/config/options.ts';
import { MAX_ANSWER_TOKENS, USUAL_ANSWER_TOKENS } from '../../src/budget/allowance.ts';
import { tokensOf } from '../../src/budget/limit-use.ts';
import { lifeOf } from '../../src/kernel/fold.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { dyingAt } from '../support/dying-log.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { note, stopped, verdicts } from '../support/stand-ins.ts';

const MINUTE = 60_000;

const noting = ({ step }: { step: number }, inputTokens: number, outputTokens: number): ScriptedAnswer => ({
  calls: [{ tool: 'note', arguments: { step } }],
  usage: { inputTokens, outputTokens },
});
const FOREVER = { tools: ['note', 'finish'], detectors: ['off'] };

const only = <Type extends LoopEvent['type']>(facts: readonly { type: string; payload: unknown }[], type: Type) =>
  facts.filter((fact) => fact.type === type).map(({ payload }) => payload as EventOf<Type>['payload']);

describe('T6 tokens are reserved before a call, and settled by its answer', () => {
  test('T6 a call that no longer fits is not made, and the ending says what it would have needed', async () => {
    const harness = createHarness({
      model: (request) => noting(request, 1_000 * (request.step + 1), 100),
      tools: [note],
    });
    const { outcome, spend, facts } = await harness.play({ ...FOREVER, maxTokens: 8_000, maxToolCalls: 'none' });
    expect(tokensOf(spend)).toBe(6_300);
    expect(outcome).toMatchObject({ ending: 'budget', limit: { name: 'tokens', used: 6_300, limit: 8_000 } });
    if (outcome.ending !== 'budget') throw new Error('asserted');
    expect(outcome.limit.next).toBeGreaterThan(3_100);
    const [text] = only(facts, 'summary.written').map((payload) => payload.text);
    expect(text).toMatch(/^token budget exhausted \(6300\/8000; the next call needs about 3\d\d\d\)/);
  });

  test('T6 the reservation is recorded with the decision: the input, and the longest answer with room', async () => {
    const harness = createHarness({ model: (request) => noting(request, 500, 100), tools: [note] });
    const { facts } = await harness.play({
      ...FOREVER,
      prompt: 'x'.repeat(400),
      maxTokens: 40_000,
      maxSteps: 3,
      maxToolCalls: 'none',
    });
    const [first, second, third] = only(facts, 'step.started').map(({ reserved }) => reserved);
    expect(first).toEqual({ tokens: 100 + MAX_ANSWER_TOKENS, nanoUsd: null, inputTokens: 100 });
    expect(second).toEqual({ tokens: 602 + MAX_ANSWER_TOKENS, nanoUsd: null, inputTokens: 602 });
    expect(third).toEqual({ tokens: 602 + MAX_ANSWER_TOKENS, nanoUsd: null, inputTokens: 602 });
  });

  test('T6 nothing is set aside where neither tokens nor money are limited', async () => {
    const harness = createHarness({ model: { answers: [{ text: 'done' }] } });
    const { facts } = await harness.play({ maxSteps: 2 });
    expect(only(facts, 'step.started')).toEqual([{ step: 0, startedAt: expect.any(String) }]);
  });

  test('T6 an answer is no longer than what is left', async () => {
    const asked: (number | undefined)[] = [];
    const harness = createHarness({
      model: (request) => {
        asked.push(request.maxOutputTokens);
        return { text: 'y'.repeat(80_000) };
      },
    });
    const { outcome, spend } = await harness.play({ detectors: ['off'], maxTokens: 2_000 });
    expect(tokensOf(spend)).toBeLessThanOrEqual(2_000);
    expect(asked[0]).toBeLessThan(2_000);
    expect(outcome.ending).toBe('budget');
  });

  test('T6 where longer requests cost more, money is set aside for the longest', async () => {
    const price = async ({ inputTokens }: { inputTokens: number }) =>
      inputTokens > 500
        ? { inputPerMillion: 10, outputPerMillion: 100, source: 'test' }
        : { inputPerMillion: 1, outputPerMillion: 10, source: 'test' };
    const harness = createHarness({
      model: {
        name: 'tiered',
        price,
        answer: async ({ maxOutputTokens = 0 }) => ({
          text: 'done',
          usage: { inputTokens: 1_000, outputTokens: maxOutputTokens },
        }),
      },
    });
    const { spend } = await harness.play({ prompt: 'x'.repeat(400), maxCost: 0.01 });
    const unexpected = 900 * 10_000;
    expect(spend.costNanoUsd).toBeLessThanOrEqual(0.01 * 1e9 + unexpected);
  });

  test('T6 a prompt that never fits costs nothing', async () => {
    const harness = createHarness({ model: { answers: [{ text: 'done' }] } });
    const { outcome, spend } = await harness.play({ prompt: 'x'.repeat(4_000), maxTokens: 500 });
    expect(outcome).toEqual({ ending: 'budget', limit: { name: 'tokens', used: 0, limit: 500, next: 1_064 } });
    expect(spend).toEqual(NO_SPEND);
  });

  test('T6 a loop begins no attempt that there is no room for', async () => {
    const harness = createHarness({
      services: { verify: verdicts(false) },
      model: () => ({ text: 'done', usage: { inputTokens: 600, outputTokens: 300 } }),
    });
    const given: Partial<RunOptions> = {
      loop: 'iteration',
      checks: ['false'],
      maxIterations: 9,
      detectors: ['off'],
      prompt: 'x'.repeat(800),
      maxTokens: 1_100,
    };
    const { outcome, facts } = await harness.play(given);
    expect(outcome).toMatchObject({ ending: 'budget', limit: { name: 'tokens', used: 900, limit: 1_100 } });
    expect(only(facts, 'iteration.started').map(({ reserved }) => reserved?.tokens)).toEqual([1_100]);
  });
});

describe('T6 uncounted usage keeps its reservation as spent', () => {
  const unheard = { code: 'model_error', message: 'what came was no answer' };

  test('T6 an error that says nothing of tokens', async () => {
    const harness = createHarness({
      model: {
        name: 'odd',
        answer: () => Promise.reject(new Error(unheard.message)),
      },
    });
    const { spend, outcome } = await harness.play({ prompt: 'x'.repeat(400), maxTokens: 1_000 });
    expect(outcome).toMatchObject({ ending: 'abort', fault: unheard });
    expect(spend).toMatchObject({ estimatedTokens: 1_000 });
    expect(tokensOf(spend)).toBe(1_000);
  });

  test('T6 a refusal that cost nothing costs nothing', async () => {
    const harness = createHarness({
      model: { name: 'shut', answer: () => Promise.reject(new ModelError('authentication', 'no key')) },
    });
    const { spend } = await harness.play({ maxTokens: 1_000 });
    expect(tokensOf(spend)).toBe(0);
  });

  test('T6 tries for one answer draw on what is left, and stop when it is gone', async () => {
    let tries = 0;
    const harness = createHarness({
      model: {
        name: 'flaky',
        answer: async () => {
          tries += 1;
          throw new ModelError(
            'provider_unavailable',
            'it broke off',
            { inputTokens: 300, outputTokens: 100 },
            { kind: 'retry', afterMs: 1 },
          );
        },
      },
    });
    const { outcome, spend } = await harness.play({ prompt: 'x'.repeat(1_200), maxTokens: 1_000 });
    expect(tries).toBe(2);
    expect(tokensOf(spend)).toBe(800);
    expect(outcome).toMatchObject({ ending: 'budget', limit: { name: 'tokens', used: 800, limit: 1_000, next: 364 } });
  });

  test('T6 a call lost in a crash counts, and the run continues with what is left', async () => {
    const { clock, log, dying } = dyingAt('step.started');
    const model = { answers: [{ text: 'done', usage: { inputTokens: 100, outputTokens: 5 } }] };
    const first = createHarness({ log: dying, model, clock }).start({ prompt: 'x'.repeat(400), maxTokens: 40_000 });
    void first;
    await expect.poll(async () => (await log.runs()).length).toBe(1);
    const [{ run = '' } = {}] = await log.runs();
    clock.advance(MINUTE);
    const { facts, spend } = await resumed(createHarness({ log, model, clock }), run);
    const [lost] = only(facts, 'model.interrupted');
    expect(lost?.usage).toEqual({ inputTokens: 100, outputTokens: USUAL_ANSWER_TOKENS, estimated: true });
    expect(spend).toMatchObject({
      inputTokens: 200,
      outputTokens: USUAL_ANSWER_TOKENS + 5,
      estimatedTokens: 100 + USUAL_ANSWER_TOKENS,
    });
  });

  test('T6 where the lost call has taken all there was, the run ends without another', async () => {
    const { clock, log, dying } = dyingAt('step.started');
    const model = { answers: [{ text: 'done', usage: { inputTokens: 100, outputTokens: 5 } }] };
    void createHarness({ log: dying, model, clock }).start({ prompt: 'x'.repeat(400), maxTokens: 1_000 });
    await expect.poll(async () => (await log.runs()).length).toBe(1);
    const [{ run = '' } = {}] = await log.runs();
    clock.advance(MINUTE);
    const { spend, outcome } = await resumed(createHarness({ log, model, clock }), run);
    expect(tokensOf(spend)).toBe(1_000);
    expect(outcome).toMatchObject({ ending: 'budget', limit: { name: 'tokens', used: 1_000, limit: 1_000 } });
  });

  test('T6 a pause costs what was used until then, and nothing for what was not under way', async () => {
    let asked = 0;
    const harness = createHarness({
      model: {
        name: 'slow',
        answer: async (_request, { signal, delta }) => {
          asked += 1;
          delta('begun');
          if (asked === 1) await stopped({ signal });
          if (asked === 1) throw new ModelError('stopped', 'told to', { inputTokens: 100, outputTokens: 7 });
          return { text: 'done', usage: { inputTokens: 100, outputTokens: 5 } };
        },
      },
    });
    const first = await harness.start({ prompt: 'x'.repeat(400), maxTokens: 40_000 });
    await first.observer.untilDelta(({ text }) => text === 'begun');
    await first.pause('user');
    const { spend } = await resumed(harness, first.run);
    expect(spend).toMatchObject({ inputTokens: 200, outputTokens: 12 });
  });
});

async function resumed(harness: ReturnType<typeof createHarness>, run: string) {
  const end = await ended(await harness.resume(run));
  return { ...end, facts: await history(harness.log, run) };
}

describe('T12 limits are told of before they are reached', () => {
  test('T12 at 80 % of a limit a warning is recorded with the decision, once', async () => {
    const harness = createHarness({
      model: (request) => (request.step < 9 ? noting(request, 1_000, 0) : { text: 'done' }),
      tools: [note],
    });
    const { facts } = await harness.play({ ...FOREVER, maxSteps: 20, maxToolCalls: 10, maxTokens: 50_000 });
    const near = only(facts, 'warning.raised').filter(({ code }) => code === 'limit_near');
    expect(near).toEqual([
      {
        code: 'limit_near',
        message: 'most of the tool budget is used (8/10)',
        limit: { name: 'tool_calls', used: 8, limit: 10 },
      },
    ]);
    const at = facts.findIndex(
      ({ type, payload }) => type === 'warning.raised' && (payload as { code: string }).code === 'limit_near',
    );
    expect(facts.slice(at - 2, at).map(({ type }) => type)).toEqual(['decision.made', 'step.started']);
  });

  test('T12 what was recorded folds to what was lived', async () => {
    const harness = createHarness({ model: (request) => noting(request, 1_000, 50), tools: [note] });
    const { log } = harness;
    const { run, spend } = await harness.play({ ...FOREVER, maxTokens: 9_000, maxToolCalls: 'none' });
    const rebuilt = await rebuild(log, run);
    expect(rebuilt.kind === 'loaded' && lifeOf(rebuilt.state).spend).toEqual(addSpend(spend, NO_SPEND));
    expect((await history(log, run)).length).toBeGreaterThan(10);
  });
});
