import { expect, test } from 'vitest';
import { DETECTOR_KINDS } from '../../src/detectors/detector-kinds.ts';
import { detectorsOf, PROFILES } from '../../src/detectors/profile.ts';
import { noTraits, type TraitsOf } from '../../src/detectors/traits.ts';
import { detectorContract } from './detector.contract.ts';
import { soupTraits } from './event-soup.ts';
import { failed, inPlaces, levelsIn, read, steered, step, times } from './turn-story.ts';

const made = (kind: (typeof DETECTOR_KINDS)[number]) => kind.create(kind.config.parse({}), soupTraits);

for (const kind of DETECTOR_KINDS) detectorContract(kind.name, () => made(kind));

for (const name of ['cycles', 'repeated-error']) {
  const config = PROFILES.get('default')?.find((choice) => typeof choice !== 'string' && choice.name === name);
  detectorContract(`${name} with the numbers of the default profile`, () => {
    const chosen = detectorsOf(config ? [config] : [], soupTraits);
    if (chosen.kind === 'refused' || !chosen.detectors[0]) throw new Error(`${name} has no numbers of its own`);
    return chosen.detectors[0];
  });
}

test('every kind goes by its own name, and no two by one', () => {
  const names = DETECTOR_KINDS.map(({ name }) => name);
  expect(DETECTOR_KINDS.map((kind) => made(kind).name)).toEqual(names);
  expect(new Set(names).size).toBe(names.length);
});

test.each(DETECTOR_KINDS.filter(({ name }) => name !== 'handoff-cycle').map((kind) => [kind.name, kind] as const))(
  'what %s refuses is a number of something, and it says of what',
  (_, kind) => {
    const config = Object.entries(Object(kind.config.parse({})));
    const numbers = config.filter(([, value]) => typeof value === 'number').map(([name]) => name);
    const { error } = kind.config.safeParse(Object.fromEntries(numbers.map((name) => [name, -1.5])));
    expect(error?.issues.map(({ path }) => path[0])).toEqual(expect.arrayContaining(numbers));
    const words = /^(a whole number of [a-z]+, \d+ (or more(, or 0 for off)?|to \d+)|a number from 0 to 1)$/;
    for (const { message } of error?.issues ?? []) expect(message).toMatch(words);
  },
);

const again = (count: number) => times(count, () => step(read('a'), failed()));
const counting = DETECTOR_KINDS.filter((kind) => levelsIn(made(kind), again(20)).length > 0);

test('the detectors that count repeated calls are those that say so', () => {
  expect(counting).toEqual(DETECTOR_KINDS.filter(({ countsCalls }) => countsCalls));
  expect(counting.length).toBeGreaterThanOrEqual(10);
});

test.each(counting.map((kind) => [kind.name, kind] as const))('%s begins anew with what a person says', (_, kind) => {
  const quiet = times(20, (count) => count).findLast((count) => levelsIn(made(kind), again(count)).length === 0) ?? 0;
  expect(levelsIn(made(kind), again(quiet + 1))).not.toEqual([]);
  expect(levelsIn(made(kind), [...again(quiet), steered, ...again(quiet), steered, ...again(quiet)])).toEqual([]);
});

test.each(DETECTOR_KINDS.map((kind) => [kind.name, kind] as const))(
  '%s remembers no more where its thresholds are off',
  (_, kind) => {
    const names = Object.keys(Object(kind.config.parse({})));
    const off = names.filter((name) => kind.config.safeParse({ [name]: 0 }).success);
    const detector = kind.create(kind.config.parse(Object.fromEntries(off.map((name) => [name, 0]))), noTraits);
    const state = inPlaces(again(1_000)).reduce((before, fact) => detector.step(before, fact).state, detector.init());
    expect(JSON.stringify(state).length).toBeLessThan(10_000);
  },
);

const CALL = { callId: '0.0', providerId: null, tool: 'hand' };
const ODD = [null, '\ud800', { agent: '\udfff', task: '\ud800' }, [1, { path: '\ud800' }], { agent: 1, task: {} }, {}];
const ODD_TRAITS: readonly TraitsOf[] = [
  noTraits,
  () => ({ identity: ['task'] }),
  () => ({ identity: (given) => Reflect.get(Object(given), 'task') }),
  () => ({ handoff: (given) => given as never }),
];

test.each(DETECTOR_KINDS.map((kind) => [kind.name, kind] as const))(
  '%s takes whatever a model may ask for, and knows it again',
  (_, kind) => {
    for (const traits of ODD_TRAITS) {
      for (const given of ODD) {
        const detector = kind.create(kind.config.parse({}), traits);
        const asked = () => ({
          type: 'model.completed' as const,
          payload: { text: '', calls: [{ ...CALL, arguments: given }], usage: { inputTokens: 1, outputTokens: 1 } },
        });
        const found = levelsIn(
          detector,
          times(20, () => [asked(), failed()]),
        );
        expect({ given, found: found.length > 0 }).toEqual({ given, found: counting.includes(kind) });
      }
    }
  },
);
