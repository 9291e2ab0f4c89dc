import canonicalize from 'canonicalize';
import { expect, test } from 'vitest';
import { differingMembers, memoryDigest } from '../../src/kernel/memory-digest.ts';
import { rememberedText } from '../../src/kernel/memory-text.ts';
import { sha256 } from '../../src/log/sha256.ts';
import { fc } from '../support/fast-check.ts';

type Remembered = Parameters<typeof memoryDigest>[0];
type Context = Readonly<Record<string, unknown>>;

const stateOf = (context: Context, paused = false) =>
  ({ snapshot: { context }, outstanding: [], paused }) as unknown as Remembered;

/** As it is recorded in logs, worked out from nothing each time. */
const plain = (context: Context, paused: boolean) =>
  [
    ['pending effects', ''],
    ['paused', paused],
    ...Object.entries(context).map(([name, value]) => [`context.${name}`, value]),
  ]
    .map(([name, value]) => sha256(String(name)).slice(0, 3) + sha256(canonicalize(value ?? null) ?? '').slice(0, 3))
    .join('');

/** Some values are the same object again, in another member or another run. */
const shared = [{ a: 1 }, { a: 2 }, [], null, 0, -0, '', 'text', undefined];
const value = fc.oneof(fc.constantFrom(...shared), fc.jsonValue());
const context = fc.dictionary(fc.constantFrom('spend', 'pending', 'due', 'steps'), value);

test('a digest depends on the values alone, whichever states were digested before', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(context, fc.boolean()), { minLength: 1 }), (states) => {
      for (const [one, paused] of states) {
        expect(memoryDigest(stateOf(one, paused))).toBe(plain(one, paused));
        expect(differingMembers(plain(one, paused), stateOf(one, paused))).toEqual([]);
      }
    }),
  );
});

test('the members that differ are named; those that only one side has are not', () => {
  const then = memoryDigest(stateOf({ spend: { tokens: 1 }, steps: 2, gone: 1 }, true));
  const now = stateOf({ spend: { tokens: 2 }, steps: 2, added: 3 });
  expect(differingMembers(then, now)).toEqual(['paused', 'context.spend']);
});

test('a value that is not plain data has the text that the library gives it', () => {
  const dated = { at: new Date(0), none: undefined, deep: [{ b: 1, a: undefined }, undefined] };
  const odd = fc.oneof(fc.anything({ withDate: true, withNullPrototype: true, withMap: true }), fc.constant(dated));
  fc.assert(
    fc.property(odd, (one) => {
      expect(textOrError(rememberedText, one)).toEqual(textOrError((it) => canonicalize(it ?? null) ?? '', one));
    }),
  );
});

test('a value that contains itself is told, not followed for ever', () => {
  const round: { self?: unknown } = {};
  round.self = round;
  expect(() => rememberedText(round)).toThrow('Circular');
});

const textOrError = (write: (value: unknown) => string, value: unknown): string => {
  try {
    return write(value);
  } catch (error) {
    return `threw ${String(error)}`;
  }
};
