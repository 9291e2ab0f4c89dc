import { expect, test } from 'vitest';
import { detectorsOf } from '../../../src/detectors/profile.ts';
import { localTroupe } from '../../../src/hosts/local/troupe.ts';
import { tool } from '../../support/stand-ins.ts';

test('T7 where nobody says otherwise, the detectors are those of the default profile', () => {
  const { detectors } = localTroupe();
  expect(detectorsOf('default')).toEqual({ kind: 'detectors', detectors });
  expect(detectors.map(({ name }) => name)).toContain('identical-calls');
  expect(localTroupe({ detectors: [] }).detectors).toEqual([]);
});

test.each([
  ['a name that is taken', 'read', 'two tools have it'],
  ['a name that no provider takes', 'my tool', 'expected 1 to 64 letters'],
])('%s is refused before there is any run', (_what, name, says) => {
  expect(() => localTroupe({ tools: [tool(name, async () => ({ output: '' }))] })).toThrow(says);
});
