import { existsSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { GENAI } from '../../src/app/otlp/genai-names.ts';
import { otlpText } from '../../src/app/otlp/otlp-json.ts';
import { VERSION } from '../../src/log/program-version.ts';
import { testInTurn } from '../support/in-turn.ts';
import { HISTORIES, type OtlpAttribute, type OtlpSpan, spansOf } from './spans-of-history.ts';

/** Where `npm ci --prefix test/app/second-opinion` puts the writer of OpenTelemetry itself. */
const WRITER = new URL('second-opinion/node_modules/@opentelemetry/otlp-transformer/dist/index.mjs', import.meta.url);
const without = existsSync(WRITER) ? null : 'left out: no writer (npm ci --prefix test/app/second-opinion)';
const NANOSECONDS = 1_000_000_000n;
/** Of an id in a trace that is sampled. */
const SAMPLED = 1;

interface Writer {
  readonly JsonTraceSerializer: { serializeRequest(spans: readonly object[]): Uint8Array };
}

describe.skipIf(without)(`W4 a second opinion${without ? `, ${without}` : ''}`, () => {
  testInTurn.each(HISTORIES)('W4 OpenTelemetry itself writes the same request for the spans of %s', async (name) => {
    const { JsonTraceSerializer } = (await import(WRITER.href)) as Writer;
    const spans = await spansOf(name);
    const theirs = JSON.parse(new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans.map(readable))));
    expect(plain(theirs)).toEqual(plain(JSON.parse(otlpText(spans.map((span) => JSON.stringify(span))))));
  });
});

/** Our span as the libraries of OpenTelemetry hand it to an exporter. */
const readable = (span: OtlpSpan): object => ({
  name: span.name,
  // Theirs begin at 0, those of the protocol at 1.
  kind: span.kind - 1,
  spanContext: () => ({ traceId: span.traceId, spanId: span.spanId, traceFlags: SAMPLED }),
  ...(span.parentSpanId === undefined
    ? {}
    : { parentSpanContext: { traceId: span.traceId, spanId: span.parentSpanId, traceFlags: SAMPLED } }),
  startTime: timeOf(span.startTimeUnixNano),
  endTime: timeOf(span.endTimeUnixNano),
  status: span.status,
  attributes: valuesOf(span.attributes),
  events: span.events.map((event) => ({
    name: event.name,
    time: timeOf(event.timeUnixNano),
    attributes: valuesOf(event.attributes),
    droppedAttributesCount: 0,
  })),
  links: span.links.map((link) => ({
    context: { ...link, traceFlags: SAMPLED },
    attributes: {},
    droppedAttributesCount: 0,
  })),
  droppedAttributesCount: 0,
  droppedEventsCount: 0,
  droppedLinksCount: 0,
  ended: true,
  resource: RESOURCE,
  instrumentationScope: SCOPE,
});

const RESOURCE = { attributes: { 'service.name': 'loopfold', 'service.version': VERSION } };
const SCOPE = { name: 'loopfold', version: VERSION, schemaUrl: GENAI.schema };

const timeOf = (nanoseconds: string): readonly [seconds: number, nanoseconds: number] => [
  Number(BigInt(nanoseconds) / NANOSECONDS),
  Number(BigInt(nanoseconds) % NANOSECONDS),
];

const valuesOf = (attributes: readonly OtlpAttribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

function valueOf(value: OtlpAttribute['value']): unknown {
  if ('arrayValue' in value) return value.arrayValue.values.map(valueOf);
  if ('intValue' in value) return Number(value.intValue);
  return Object.values(value)[0];
}

/** A request without what the protocol says by leaving it out. A whole number may be a text or a number there. */
const plain = (request: object): unknown =>
  JSON.parse(JSON.stringify(request), (key, value: unknown) => {
    if (/^dropped\w+Count$|^flags$/.test(key) || (Array.isArray(value) && value.length === 0)) return undefined;
    return key === 'intValue' ? String(value) : value;
  });
