import { expect, test } from 'vitest';
import { detectorsOf } from '../../../src/detectors/profile.ts';
import { localTroupe } from '../../../src/hosts/local/troupe.ts';

test('T7 where nobody says otherwise, the detectors are those of the default profile', () => {
  const { detectors } = localTroupe();
  expect(detectorsOf('default')).toEqual({ kind: 'detectors', detectors });
  expect(detectors.map(({ name }) => name)).toContain('identical-calls');
  expect(localTroupe({ detectors: [] }).detectors).toEqual([]);
});
