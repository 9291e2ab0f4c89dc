import { expect, test } from 'vitest';
import { otlpText } from '../../src/app/otlp/otlp-json.ts';
import { requestBody } from '../../src/app/otlp/request-body.ts';

const bodyOf = (spans: readonly string[]): string => {
  const { bytes, release } = requestBody(spans);
  const text = bytes.toString();
  release();
  return text;
};

test('W4 given requests that use the same memory one after the other, then each has the bytes of an export', () => {
  const batches = [['{"name":"långes"}', '{"name":"€😀"}'], ['{}'], [`{"name":"${'é'.repeat(5_000)}"}`], []];
  for (const spans of batches) expect(bodyOf(spans)).toBe(otlpText(spans));
});

test('W4 given two requests at once, then neither writes into the memory of the other', () => {
  const [first, second] = [requestBody(['{"a":1}']), requestBody(['{"b":2}'])];
  expect([first.bytes.toString(), second.bytes.toString()]).toEqual([otlpText(['{"a":1}']), otlpText(['{"b":2}'])]);
  first.release();
  const third = requestBody(['{"c":3}']);
  expect([second.bytes.toString(), third.bytes.toString()]).toEqual([otlpText(['{"b":2}']), otlpText(['{"c":3}'])]);
});
