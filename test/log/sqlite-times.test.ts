import { expect, test } from 'vitest';
import { hexOf } from '../../src/log/sqlite/statement.ts';
import { timestamp } from '../../src/log/timestamp.ts';
import { fc } from '../support/fast-check.ts';

const LAST_MS = 8.64e15;

test('times are written as Date writes them, whichever were written before', () => {
  const ms = fc.oneof(fc.integer({ min: -LAST_MS, max: LAST_MS }), fc.integer({ min: -5_000, max: 5_000 }));
  fc.assert(
    fc.property(fc.array(ms, { minLength: 1 }), (times) => {
      for (const time of times) expect(timestamp(time)).toBe(new Date(time).toISOString());
    }),
    { examples: [[[LAST_MS, -LAST_MS, 0, -1, 999, 1_000, -1_000]]] },
  );
});

test('bytes are written as Buffer writes them, of any number', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      expect(hexOf(bytes)).toBe(Buffer.from(bytes).toString('hex'));
    }),
  );
});
