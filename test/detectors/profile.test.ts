import { describe, expect, test } from 'vitest';
import { detectorsOf } from '../../src/detectors/profile.ts';

describe('profiles', () => {
  test.each(['default', 'off'])('T7 three identical calls stop a turn in the profile %s', (name) => {
    const profile = detectorsOf(name);
    expect(profile).toMatchObject({ kind: 'detectors', detectors: [{ name: 'identical-calls' }] });
  });

  test('an unknown profile is answered with the known ones', () => {
    expect(detectorsOf('defualt')).toEqual({ kind: 'unknown', known: ['default', 'off'], suggestion: 'default' });
    expect(detectorsOf('toString')).toEqual({ kind: 'unknown', known: ['default', 'off'], suggestion: null });
  });
});
