import { expect, test } from 'vitest';
import { slowFiles } from '../support/slow-files.ts';

const files = [
  { file: 'test/quick.test.ts', ms: 40 },
  { file: 'test/slow.test.ts', ms: 9_000 },
  ...Array.from({ length: 9 }, (_, index) => ({ file: `test/${index}.test.ts`, ms: 1_000 + index })),
];

test('a run beyond its limit names its slowest files, the slowest first', () => {
  const said = slowFiles(files, 12_001, 12_000)?.split('\n') ?? [];
  expect(said[0]).toBe('The tests took 12.0 s; their limit is 12.0 s. The slowest files:');
  expect(said.slice(1, 3)).toEqual(['    9.0 s  test/slow.test.ts', '    1.0 s  test/8.test.ts']);
  expect(said).toHaveLength(12);
  expect(said.join('\n')).not.toContain('quick');
});

test('a run within its limit names none', () => {
  expect(slowFiles(files, 12_000, 12_000)).toBeNull();
});
