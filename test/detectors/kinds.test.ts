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
