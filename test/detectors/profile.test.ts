import { describe, expect, test } from 'vitest';
import { detectorsOf } from '../../src/detectors/profile.ts';
import { noTraits } from '../../src/detectors/traits.ts';

const namesOf = (...choices: Parameters<typeof detectorsOf>[0]) => {
  const chosen = detectorsOf(choices, noTraits);
  return chosen.kind === 'refused' ? chosen.faults : chosen.detectors.map(({ name }) => name);
};

describe('profiles', () => {
  test.each(['default', 'strict', 'off'])('T7 three identical calls stop a turn in the profile %s', (name) => {
    expect(namesOf(name)).toContain('identical-calls');
  });

  test('an unknown name is answered with the known ones', () => {
    expect(namesOf('defualt')).toMatchObject([{ field: 'detectors[0]', value: 'defualt', suggestion: 'default' }]);
    expect(namesOf('off', 'toString')).toMatchObject([{ field: 'detectors[1]', suggestion: null }]);
  });

  test('a number that is none is refused with its field', () => {
    expect(namesOf('off', { name: 'identical-calls', config: { threshold: 1.5 } })).toMatchObject([
      { field: 'detectors[1].config.threshold', value: 1.5 },
    ]);
  });
});
