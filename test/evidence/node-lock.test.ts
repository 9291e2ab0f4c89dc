import { expect, test } from 'vitest';
import { readNodeLock } from '../../src/evidence/packages/node-lock.ts';

const lock = (version: string) => `importers:\n  .:\n    dependencies:\n      ms:\n        version: ${version}\n`;

test('V17 a lockfile is parsed once for each text and name', () => {
  const first = readNodeLock('pnpm-lock.yaml', lock('2.1.3'));
  expect(readNodeLock('packages/a/pnpm-lock.yaml', lock('2.1.3'))).toBe(first);
  expect(first?.versionFor('', 'ms', '^2.0.0')).toBe('2.1.3');
  expect(readNodeLock('pnpm-lock.yaml', lock('2.1.2'))?.versionFor('', 'ms', '^2.0.0')).toBe('2.1.2');
  expect(readNodeLock('package-lock.json', lock('2.1.3'))).toBeNull();
});
