import { describe, expect, test } from 'vitest';
import { MAX_JSON_DEPTH } from '../../machines/json.ts';
import { jsonFault } from '../../src/log/json-gate.ts';
import { canonicalText } from '../../src/log/canonical-text.ts';
import type { Json } from '../../src/log/envelope.ts';
import { fc } from '../support/fast-check.ts';

class Point {
  x = 1;
}
const cycle: unknown[] = [];
cycle.push({ again: cycle });
const nested = (depth: number): unknown => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 1);
const shared = { x: 1 };

describe('the gate names what JSON cannot say', () => {
  test.for<[string, unknown, string, string]>([
    ['undefined', { a: undefined }, '$.a', 'undefined'],
    ['a function', { a: [() => 1] }, '$.a[0]', 'a function'],
    ['toJSON', { a: { toJSON: () => 1 } }, '$.a.toJSON', 'a function'],
    ['NaN', [1, Number.NaN], '$[1]', 'NaN'],
    ['Infinity', { 'odd key': -Infinity }, '$["odd key"]', '-Infinity'],
    ['a bigint', 1n, '$', 'a bigint'],
    ['a symbol', [Symbol('s')], '$[0]', 'a symbol'],
    ['a Date', { at: new Date(0) }, '$.at', 'an instance of Date'],
    ['a Map', new Map(), '$', 'an instance of Map'],
    ['an instance', [[new Point()]], '$[0][0]', 'an instance of Point'],
    ['a boxed number', Object(1), '$', 'an instance of Number'],
    ['a subclass of Array', new (class Row extends Array {})(), '$', 'an instance of Row'],
    ['an object with another prototype', Object.create({ a: 1 }), '$', 'an instance of Object'],
    ['a lone surrogate', { a: 'x\ud800' }, '$.a', 'a string with a lone surrogate'],
    ['a lone surrogate in a key', { 'x\ud800': 1 }, '$["x\\ud800"]', 'a key with a lone surrogate'],
    ['a hole', Object.assign([1], { 2: 3 }), '$[1]', 'a hole'],
    ['an array with more than elements', Object.assign([1], { extra: 1 }), '$', 'an array with the property extra'],
    ['a symbol key', { [Symbol('s')]: 1 }, '$', 'the symbol key Symbol(s)'],
    ['a hidden property', Object.defineProperty({}, 'a', { value: 1 }), '$.a', 'a hidden property'],
    [
      'an accessor',
      {
        get a() {
          return 1;
        },
      },
      '$.a',
      'an accessor',
    ],
    ['a cycle', { a: cycle }, '$.a[0].again', 'a cycle'],
    ['too deep nesting', nested(MAX_JSON_DEPTH + 1), `$${'[0]'.repeat(MAX_JSON_DEPTH)}`, 'nesting deeper than 1000'],
  ])('%s', ([, value, path, found]) => {
    expect(jsonFault(value)).toEqual({ path, found });
  });

  test('it takes what is merely unusual', () => {
    const values = [-0, [shared, shared], Object.assign(Object.create(null), { a: 1 }), nested(MAX_JSON_DEPTH)];
    for (const value of [...values, JSON.parse('{"__proto__": 1, "": []}')]) expect(jsonFault(value)).toBeNull();
  });
});

test('all of JSON passes, and its canonical text means the same', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(jsonFault(value)).toBeNull();
      expect(JSON.parse(canonicalText(value as Json))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
