import { describe, expect, test } from 'vitest';
import { resultIdentity, withoutVolatile } from '../../src/detectors/result-identity.ts';

describe('the identity of a result (D1, D8)', () => {
  test.each([
    ['a uuid', 'job 3f2504e0-4f89-11d3-9a0c-0305e82c3301 queued', 'job 6fa459ea-ee8a-3ca4-894e-db77e160355e queued'],
    ['an ISO time', 'as of 2026-11-22T04:16:34.123Z', 'as of 2026-11-22T04:17:01Z'],
    ['a time with its zone', '[2026-11-22 04:16:34,123 +01:00] idle', '[2026-11-22 05:16:30,001 +01:00] idle'],
    ['a time of day', '04:16:34 waiting', '04:16:39 waiting'],
    ['milliseconds since 1970', '{"at":1795321000000}', '{"at":1795321999123}'],
    ['a duration', '3 passed (120 ms)', '3 passed (98ms)'],
    ['a duration in words', 'finished in 1.2 seconds', 'finished in 14 seconds'],
    ['a duration in parts', 'took 1m 30s', 'took 2m 4.5s'],
    ['a duration by its name', '# duration_ms 71.25', '# duration_ms 68.1'],
    ['a process number', 'listening, pid 4711', 'listening, pid 815'],
    ['an address', 'at 0x7ffee4c1a2b0', 'at 0x7ffee4c1b000'],
    ['what is called an id', 'request id: 8f3a9c21', 'request id: 77ab01c9'],
    ['an id with its kind before it', '{"call_9af31c22de01"}', '{"call_01c22de9af31"}'],
    ['a temporary folder', 'in /tmp/tmp.aBcD12XY/src', 'in /tmp/tmp.Qx99ZzPo/src'],
    ['a temporary folder with a name', "ENOENT '/tmp/loop-a8Fk2z/a.ts'", "ENOENT '/tmp/loop-B1cc9Q/a.ts'"],
  ])('is blind to %s', (_what, one, other) => {
    expect(withoutVolatile(one)).toBe(withoutVolatile(other));
    expect(resultIdentity(one)).toBe(resultIdentity(other));
  });

  test.each([
    ['a number', '3 failed', '2 failed'],
    ['a percentage', '41% done', '42% done'],
    ['a line number', 'a.ts:12: error', 'a.ts:13: error'],
    ['a page', 'page 2 of 7', 'page 3 of 7'],
    ['a version', 'node 24.1.0', 'node 24.2.0'],
    ['a commit', 'HEAD is at 8f3a9c2', 'HEAD is at 77ab01c'],
    ['a hash of content', 'e3b0c44298fc1c149afbf4c8996fb924  a.txt', '01ba4719c80b6fe911b091a7c05124b6  a.txt'],
    ['a date', 'due 2026-11-22', 'due 2026-11-23'],
    ['a file in the temporary folder', '/tmp/report.json', '/tmp/summary.json'],
    ['a size', '120 MB', '130 MB'],
    ['case', 'ok', 'OK'],
  ])('sees %s', (_what, one, other) => expect(resultIdentity(one)).not.toBe(resultIdentity(other)));

  test('takes a long text in no time to speak of', () => {
    const [letters, digits, dashes] = ['a', '1', '-'].map((one) => one.repeat(50_000));
    const text = [letters, digits, 'id '.repeat(20_000), dashes, '/tmp/'.repeat(10_000)].join('\n');
    expect(resultIdentity(text)).toMatch(/^[0-9a-f]{64}$/);
  });
});
