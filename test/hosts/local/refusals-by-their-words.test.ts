import { describe, expect, test } from 'vitest';
import { exitOf } from '../../../src/cli/terminal/exit-status.ts';
import { WIRES } from '../../support/model-server/on-each-wire.ts';
import { runOn } from './run-on.ts';

const DONE = { text: 'It is done.', usage: { inputTokens: 120, outputTokens: 30 } };

const AZURE = {
  error: {
    message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    type: null,
    param: 'prompt',
    code: 'content_filter',
    status: 400,
    innererror: { code: 'ResponsibleAIPolicyViolation' },
  },
};
const tooLarge = (limit: number, requested: number) => ({
  error: {
    message:
      'Request too large for model `m` in organization `o` service tier `on_demand` on tokens per minute (TPM): ' +
      `Limit ${limit}, Requested ${requested}, please reduce your message size and try again.`,
    type: 'tokens',
    code: 'rate_limit_exceeded',
  },
});

describe.each(WIRES)('%s', (model) => {
  test('G4 a prompt that a filter refuses ends as filtered, in the words of the provider', async () => {
    const faults = [{ request: 0, status: 400, body: AZURE }];

    const { outcome, requests, charged } = await runOn(model, { answers: [DONE], faults });

    expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: 'filtered' } });
    expect(JSON.stringify(outcome)).toContain('content management policy');
    expect(exitOf(outcome, false)).toBe(13);
    expect(requests).toHaveLength(1);
    expect(charged).toMatchObject({ input: expect.toSatisfy((tokens: number) => tokens > 0), output: 0 });
  });

  test('G8 status 413 for the tokens in a minute is a rate limit, and waited for', async () => {
    const fault = { status: 413, headers: { 'retry-after-ms': '5' }, body: tooLarge(6_000, 5_000) };

    const { outcome, requests, facts, charged } = await runOn(model, {
      answers: [DONE],
      faults: [{ request: 0, ...fault }],
    });

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(2);
    expect(facts.filter(({ type }) => type === 'model.limited')).toHaveLength(1);
    expect(charged).toEqual({ input: 120, output: 30 });
  });

  test.each([413, 429])('G8 status %i: a request above the limit of a minute is not waited for', async (status) => {
    const faults = [0, 1].map((request) => ({ request, status, body: tooLarge(6_000, 9_000) }));

    const { outcome, requests, facts } = await runOn(model, { answers: [DONE], faults }, { maxAnswerTokens: 1_500 });

    expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: 'over_rate_limit' } });
    expect(JSON.stringify(outcome)).toContain('Waiting does not help');
    expect(exitOf(outcome, false)).toBe(13);
    expect(requests).toHaveLength(1);
    expect(facts.filter(({ type }) => type === 'model.limited')).toEqual([]);
  });

  test('G8 where the answer may be shorter, it is: the limit of a minute counts it, too', async () => {
    const faults = [{ request: 0, status: 413, body: tooLarge(6_000, 9_000) }];

    const { outcome, requests, charged } = await runOn(model, { answers: [DONE], faults }, { maxAnswerTokens: 8_000 });

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests.map(({ body }) => /:(8000|4000)\b/.exec(JSON.stringify(body))?.[1])).toEqual(['8000', '4000']);
    expect(charged).toEqual({ input: 120, output: 30 });
  });

  test('G8 the longest answer fits the declared window from the first request on', async () => {
    const [provider = ''] = model.split('/', 1);

    const { requests } = await runOn(
      model,
      { answers: [DONE] },
      { maxAnswerTokens: 32_000 },
      { [provider]: { contextTokens: { m: 12_000 } } },
    );

    const most = Number(
      /"max_?(?:(?:completion|output)_)?(?:Output)?tokens":(\d+)/i.exec(JSON.stringify(requests[0]?.body))?.[1],
    );
    expect(most).toBeGreaterThan(4_000);
    expect(most).toBeLessThan(12_000);
    expect(requests).toHaveLength(1);
  });
});
