import { expect, test } from 'vitest';
import { declared } from './dependencies.ts';

test('tests run under the Node that package.json pins, whatever the platform has', () => {
  expect(process.versions.node).toBe(declared.node);
});
