import { expect, test } from 'vitest';
import { detectorsOf } from '../../../src/detectors/profile.ts';
import { noTraits } from '../../../src/detectors/traits.ts';
import { localServices } from '../../../src/hosts/local/local-services.ts';
import { tool } from '../../support/stand-ins.ts';

test('T7 without a choice, the detectors are those of the default profile', () => {
  const names = (detectors: readonly { readonly name: string }[]) => detectors.map(({ name }) => name);
  const chosen = detectorsOf(['default'], noTraits);
  expect(names(localServices().detectorsOf(undefined))).toEqual(
    chosen.kind === 'detectors' ? names(chosen.detectors) : [],
  );
  expect(names(localServices().detectorsOf(['off']))).toContain('identical-calls');
});

test.each([
  ['a name that is taken', 'read', 'two tools have it'],
  ['a name that no provider takes', 'my tool', 'expected 1 to 64 letters'],
])('%s is refused before there is any run', (_what, name, says) => {
  expect(() => localServices({ tools: [tool(name, async () => ({ output: '' }))] })).toThrow(says);
});
