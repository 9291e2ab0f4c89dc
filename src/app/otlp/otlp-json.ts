// The JSON of the OpenTelemetry protocol (OTLP 1.x), as far as spans need it. It is written as text at once, because a
// run that is told while it works pays for it.

import { VERSION } from '../../log/program-version.ts';
import { GENAI } from './genai-names.ts';

/** Absent values are left out. */
type Value = string | number | boolean | readonly string[] | null | undefined;
/** Names, which are constants of this program, and their values; or the text of some that many spans have. */
export type Attributes = readonly (readonly [name: string, value: Value] | string)[];

/** The elements of a list of attributes. */
export function attributesText(attributes: Attributes): string {
  const texts: string[] = [];
  for (const one of attributes) {
    const text = typeof one === 'string' ? one : attributeText(one[0], one[1]);
    if (text !== '') texts.push(text);
  }
  return texts.join(',');
}

/** 64-bit numbers are written as texts. */
function attributeText(name: string, value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return `${TEXTS.of(name)}${JSON.stringify(value)}}}`;
  if (typeof value === 'boolean') return `${FLAGS.of(name)}${value}}}`;
  if (typeof value !== 'number') return `${LISTS.of(name)}${value.map(listed).join(',')}]}}}`;
  return Number.isSafeInteger(value)
    ? `${INTEGERS.of(name)}${value}"}}`
    : `${NUMBERS.of(name)}${JSON.stringify(value)}}}`;
}

const listed = (value: string): string => `{"stringValue":${JSON.stringify(value)}}`;

/**
 * What stands before the values of one type, for each name: made once. A text is sent as many pieces as it was written
 * in, and a request has thousands of spans.
 */
class Beginnings {
  readonly #type: string;
  readonly #byName = new Map<string, string>();

  /** `type`: as the protocol has it, with what opens the value. */
  constructor(type: string) {
    this.#type = type;
  }

  of(name: string): string {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const text = ['{"key":"', name, '","value":{', this.#type].join('');
    this.#byName.set(name, text);
    return text;
  }
}

const TEXTS = new Beginnings('"stringValue":');
const FLAGS = new Beginnings('"boolValue":');
const INTEGERS = new Beginnings('"intValue":"');
const NUMBERS = new Beginnings('"doubleValue":');
const LISTS = new Beginnings('"arrayValue":{"values":[');

/** The length of `2026-01-01T00:00:00.000Z`, and of what stands before its point. */
const [TIME_CHARS, SECOND_CHARS] = [24, 19];
/** The second of the newest time, and its text: a run has many times in one second. */
let second = { of: '', text: '' };

/** A time of an event, which has milliseconds, as nanoseconds since 1970. */
export function nanoseconds(at: string): string {
  const of = at.slice(0, SECOND_CHARS);
  if (of !== second.of) second = { of, text: secondsText(of) };
  if (second.text === '' || at.length !== TIME_CHARS || !at.endsWith('Z')) return `${Date.parse(at)}000000`;
  return `${second.text}${at.slice(SECOND_CHARS + 1, -1)}000000`;
}

/** Empty where milliseconds behind it would not be a number as it is usually written. */
function secondsText(of: string): string {
  const seconds = Date.parse(`${of}Z`) / 1_000;
  return seconds > 0 ? `${seconds}` : '';
}

const RESOURCE = attributesText([
  ['service.name', 'loopfold'],
  ['service.version', VERSION],
]);
const SCOPE = JSON.stringify({ name: 'loopfold', version: VERSION });

/** What stands around the spans of a request. */
export const BODY = {
  before:
    `{"resourceSpans":[{"resource":{"attributes":[${RESOURCE}]},"scopeSpans":[{"scope":${SCOPE},` +
    `"schemaUrl":"${GENAI.schema}","spans":[`,
  after: ']}]}]}',
} as const;

/** The body of a request with these spans. */
export const otlpText = (spans: readonly string[]): string => `${BODY.before}${spans.join(',')}${BODY.after}`;
