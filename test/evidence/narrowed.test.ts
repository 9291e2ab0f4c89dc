import fc from 'fast-check';
import { expect, test } from 'vitest';
import { narrowed } from '../../src/evidence/narrow.ts';

const lists = fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 40 });

test('V1 one item that suffices is found alone, in twice as many tries as its list has halvings', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.nat(), async (list, at) => {
      const wanted = list[at % list.length] as number;
      let tries = 0;
      const found = await narrowed(list, async (part) => {
        tries += 1;
        return part.includes(wanted);
      });
      expect(found).toEqual([wanted]);
      expect(tries).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(list.length)));
    }),
  );
});

test('V1 what is found suffices, also where several items are needed or the tries run out', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.nat(), fc.nat(), fc.nat({ max: 8 }), async (list, first, second, most) => {
      const wanted = [list[first % list.length], list[second % list.length]] as number[];
      const does = (part: readonly number[]) => wanted.every((item) => part.includes(item));
      let tries = 0;
      const found = await narrowed(list, async (part) => (++tries > most ? null : does(part)));
      expect(does(found)).toBe(true);
    }),
  );
});
