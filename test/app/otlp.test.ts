import { expect, test } from 'vitest';
import { GENAI } from '../../src/app/otlp/genai-names.ts';
import { collectorAt, collectorOf } from '../../src/app/otlp/collector.ts';
import { sendSpans } from '../../src/app/otlp/send-spans.ts';
import { HISTORIES, type OtlpSpan, spansOf, spanTextsOf } from './spans-of-history.ts';

const valueOf = (span: OtlpSpan, key: string) => span.attributes.find((one) => one.key === key)?.value;
const named = (spans: readonly OtlpSpan[], name: RegExp) => spans.filter((span) => name.test(span.name));

test.each(HISTORIES)(
  'W4 the spans of %s are one tree a trace, the same each time, with times that hold',
  async (name) => {
    const spans = await spansOf(name);
    expect(await spanTextsOf(name)).toEqual(spans.map((span) => JSON.stringify(span)));
    const ids = spans.map(({ traceId, spanId }) => `${traceId}/${spanId}`);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { traceId, spanId, parentSpanId, startTimeUnixNano: from, endTimeUnixNano: to } of spans) {
      expect([traceId, spanId]).toEqual([
        expect.stringMatching(/^[0-9a-f]{32}$/),
        expect.stringMatching(/^[0-9a-f]{16}$/),
      ]);
      expect(BigInt(to) >= BigInt(from)).toBe(true);
      if (parentSpanId !== undefined) expect(ids).toContain(`${traceId}/${parentSpanId}`);
    }
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined).length).toBeGreaterThan(0);
  },
);

test('W4 a run of attempts is a workflow, its attempts agents below their effects, its checks events', async () => {
  const spans = await spansOf('iteration-success.jsonl');
  const [top] = named(spans, /^invoke_workflow iteration$/);
  const attempts = named(spans, /^invoke_agent /);
  const openers = named(spans, /^loopfold\.runAgent$/);
  expect(attempts.map(({ parentSpanId }) => parentSpanId)).toEqual(openers.map(({ spanId }) => spanId));
  expect(openers.every(({ parentSpanId }) => parentSpanId === top?.spanId)).toBe(true);
  expect(top?.events.every(({ name }) => name === 'loopfold.decision')).toBe(true);
  const checks = named(spans, /verifyWork$/).flatMap(({ events }) => events);
  expect(checks.map(({ name }) => name)).toContain('loopfold.check');
  expect(valueOf(top as OtlpSpan, 'loopfold.ending')).toEqual({ stringValue: 'success' });
});

test('W4 a question to a model says its tokens, and texts only where a person asks for them', async () => {
  const [chat] = named(await spansOf('turn-success.jsonl'), /^chat /);
  expect(chat?.kind).toBe(3);
  expect(valueOf(chat as OtlpSpan, GENAI.operation)).toEqual({ stringValue: 'chat' });
  for (const key of [GENAI.inputTokens, GENAI.outputTokens])
    expect(valueOf(chat as OtlpSpan, key)).toEqual({ intValue: expect.stringMatching(/^\d+$/) });
  const told = [GENAI.outputMessages, GENAI.toolArguments, GENAI.toolResult];
  const withText = (spans: readonly OtlpSpan[]) =>
    spans.flatMap(({ attributes }) => attributes).filter(({ key }) => told.some((one) => one === key));
  expect(withText(await spansOf('turn-success.jsonl'))).toEqual([]);
  const texts = withText(await spansOf('turn-success.jsonl', true));
  expect(texts.length).toBeGreaterThan(0);
  const answer = texts.find(({ key }) => key === GENAI.outputMessages)?.value as { readonly stringValue: string };
  expect(JSON.parse(answer.stringValue)).toEqual([
    { role: 'assistant', parts: expect.any(Array), finish_reason: expect.any(String) },
  ]);
});

test('W4 a run that ended otherwise than in success names its ending as the type of the error', async () => {
  const ofRuns = async (name: string) => named(await spansOf(name), /^invoke_/);
  const [failed] = await ofRuns('turn-crash-resume-abort.jsonl');
  expect([failed?.status.code, valueOf(failed as OtlpSpan, GENAI.error)]).toEqual([2, { stringValue: 'abort' }]);
  const [fine] = await ofRuns('turn-success.jsonl');
  expect([fine?.status.code, valueOf(fine as OtlpSpan, GENAI.error)]).toEqual([0, undefined]);
});

test('W4 after a crash each attempt of an effect has a span, linked to the first, which is no error', async () => {
  const spans = await spansOf('turn-crash-resume-abort.jsonl');
  const again = spans.filter(({ links }) => links.length > 0);
  expect(again.length).toBeGreaterThan(0);
  for (const { links, startTimeUnixNano } of again) {
    const first = spans.find(({ spanId }) => spanId === links[0]?.spanId);
    expect(first?.status).toEqual({ code: 0 });
    expect(BigInt(first?.endTimeUnixNano ?? 0) <= BigInt(startTimeUnixNano)).toBe(true);
  }
});

test('W4 the collector is the one of the variables of OpenTelemetry, with its headers', () => {
  expect(collectorOf({})).toBeNull();
  const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/', OTEL_EXPORTER_OTLP_HEADERS: 'a=b%20c, d = e' };
  expect(collectorOf(base)).toEqual({ url: 'http://127.0.0.1:4318/v1/traces', headers: { a: 'b c', d: 'e' } });
  expect(collectorOf({ ...base, OTEL_SDK_DISABLED: 'true' })).toBeNull();
  expect(collectorOf({ ...base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/x' })?.url).toMatch(/:1\/x$/);
  expect([collectorAt('nowhere', {}), collectorAt('ftp://a/b', {})]).toEqual([null, null]);
});

test('W4 a collector that is not there is a reason, and no exception', async () => {
  const spans = await spanTextsOf('turn-text-only.jsonl');
  const { sent, failure } = await sendSpans({ url: 'http://127.0.0.1:9/v1/traces', headers: {} }, spans);
  expect([sent, failure]).toEqual([0, expect.any(String)]);
});
