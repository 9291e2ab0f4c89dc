import { expect, test } from 'vitest';
import { DETECTOR_KINDS } from '../../src/detectors/kinds.ts';
import { detectorsOf, PROFILES } from '../../src/detectors/profile.ts';
import { detectorContract } from './detector.contract.ts';
import { soupTraits } from './event-soup.ts';

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
    const numbers = Object.keys(Object(kind.config.parse({})));
    const { error } = kind.config.safeParse(Object.fromEntries(numbers.map((name) => [name, -1.5])));
    expect(error?.issues.map(({ path }) => path[0])).toEqual(expect.arrayContaining(numbers));
    const words = /^(a whole number of [a-z]+, \d+ (or more(, or 0 for off)?|to \d+)|a number from 0 to 1)$/;
    for (const { message } of error?.issues ?? []) expect(message).toMatch(words);
  },
);
