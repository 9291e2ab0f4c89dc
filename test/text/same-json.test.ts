import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { sameJson } from '../../src/text/same-json.ts';
import { fc } from '../support/fast-check.ts';

const stored = (value: unknown): unknown => JSON.parse(JSON.stringify({ value }));
const leaf = fc.constantFrom<unknown>(undefined, null, 0, -0, 1, '', 'a', true, false);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('any'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'length'), tie('any'), { maxKeys: 2, noNullPrototype: true }),
  ),
})).any;

test('two values are the same where what the log would store of them is', () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      const same = isDeepStrictEqual(stored(one), stored(other));
      expect(sameJson({ value: one }, { value: other })).toBe(same);
      expect(sameJson({ value: one }, stored(one))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
