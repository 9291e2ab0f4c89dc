import { beforeAll, describe, expect, test } from 'vitest';
import type { Loop } from '../support/facts.ts';
import { takesAll, tenthOfMany } from '../support/tenth.ts';
import { entryOf, environments } from '../support/environments.ts';
import { generated, type Generated, sharesOf, told } from './generated.ts';

/** Half a million, and a little: both loops together have a million. */
const MANY_EVENTS = 505_000;
const EVENTS = tenthOfMany(MANY_EVENTS);
const FEW = 8;

/** What many runs of a loop, as chance would have them, come to. */
export function provenByChance(loop: Loop): void {
  describe(`${loop}: ${EVENTS} events as chance would have them`, () => {
    let runs: Generated;

    beforeAll(() => {
      runs = generated(entryOf(loop), environments[loop], EVENTS);
    });

    test('L3 every invariant holds in every run', () => expect(told(runs)).toBe('nothing is violated'));

    test('so many were accepted, counted one by one, and others were tried in vain', () => {
      expect(runs.events).toBeGreaterThanOrEqual(EVENTS);
      expect(runs.refusals).toBeGreaterThan(EVENTS / 20);
    });

    test('each ending has its share of the runs', () => {
      const shares = sharesOf(runs);
      const rare = Object.keys(shares).filter((ending) => (shares[ending] ?? 0) < 0.1);
      expect(rare.map((ending) => `${ending} is rare in ${JSON.stringify(shares)}`)).toEqual([]);
    });

    test('every transition is taken, and every closed one has refused; of a tenth, all but a few', () => {
      expect(runs.untaken.slice(takesAll ? 0 : FEW)).toEqual([]);
    });
  });
}
