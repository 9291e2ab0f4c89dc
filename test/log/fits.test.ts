import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fits } from '../../src/log/read-event.ts';
import { vocabulary, written } from '../histories/schemas/written.ts';

const VALUES_UNTIL_COMPILED = 250;
const LEFT_OUT = Symbol('left out');

const recorded = written().flatMap(({ type, number, payloads }) => {
  const word = vocabulary.get(type);
  return word && word.schema === number ? payloads.map((payload) => ({ word, fact: { type, payload } })) : [];
});

/** A payload with one of its members, at any depth, replaced by something else or left out. */
const changed = fc
  .tuple(fc.constantFrom(...recorded), fc.nat(), fc.oneof(fc.anything(), fc.constant(LEFT_OUT)))
  .map(([{ word, fact }, which, value]) => ({ word, fact: withChange(fact, which, value) }));

function withChange(fact: object, which: number, value: unknown): object {
  const copy = structuredClone(fact);
  const places = placesIn(copy);
  const place = places[which % places.length];
  if (!place) return copy;
  if (value === LEFT_OUT) Reflect.deleteProperty(place.of, place.member);
  else Reflect.set(place.of, place.member, value);
  return copy;
}

function placesIn(value: unknown): { readonly of: object; readonly member: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((member) => [
    { of: value, member },
    ...placesIn((value as Readonly<Record<string, unknown>>)[member]),
  ]);
}

test('a compiled schema takes and refuses what it does without', () => {
  for (const { word, fact } of recorded)
    for (let n = 0; n < VALUES_UNTIL_COMPILED; n += 1) expect(fits(word.event, fact)).toBe(true);
  let refused = 0;
  const law = fc.property(changed, ({ word, fact }) => {
    const expected = word.event.safeParse(fact).success;
    if (!expected) refused += 1;
    expect(fits(word.event, fact)).toBe(expected);
  });
  fc.assert(law, { numRuns: 3_000 });
  expect(refused).toBeGreaterThan(0);
});
