// The JSON of the OpenTelemetry protocol (OTLP 1.x), as far as spans need it. It is written as text at once, because a
// run that is told while it works pays for it.

import { VERSION } from '../../log/program-version.ts';
import { GENAI } from './genai-names.ts';

/** Absent values are left out. */
type Value = string | number | boolean | readonly string[] | null | undefined;
/** Names, which are constants of this program, and their values. */
export type Attributes = readonly (readonly [name: string, value: Value])[];

/** The elements of a list of attributes. */
export function attributesText(attributes: Attributes): string {
  let text = '';
  for (const [name, value] of attributes) {
    if (value === null || value === undefined) continue;
    text += `${text === '' ? '' : ','}{"key":"${name}","value":${valueText(value)}}`;
  }
  return text;
}

/** 64-bit numbers are written as texts. */
function valueText(value: NonNullable<Value>): string {
  if (typeof value === 'string') return `{"stringValue":${JSON.stringify(value)}}`;
  if (typeof value === 'boolean') return `{"boolValue":${value}}`;
  if (typeof value !== 'number') return `{"arrayValue":{"values":[${value.map(valueText).join(',')}]}}`;
  return Number.isSafeInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${JSON.stringify(value)}}`;
}

/** A time of an event, which has milliseconds, as nanoseconds since 1970. */
export const nanoseconds = (at: string): string => `${Date.parse(at)}000000`;

const RESOURCE = attributesText([
  ['service.name', 'loopfold'],
  ['service.version', VERSION],
]);
const SCOPE = JSON.stringify({ name: 'loopfold', version: VERSION });
const BEFORE = `{"resourceSpans":[{"resource":{"attributes":[${RESOURCE}]},"scopeSpans":[{"scope":${SCOPE},`;

/** The body of a request with these spans. */
export const otlpText = (spans: readonly string[]): string =>
  `${BEFORE}"schemaUrl":"${GENAI.schema}","spans":[${spans.join(',')}]}]}]}`;
