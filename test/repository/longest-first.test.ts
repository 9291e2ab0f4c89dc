import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONGEST, longestFirst } from '../support/longest-first.ts';
import { root } from './tool.ts';

const file = (name: string, project: string) => ({
  moduleId: join(root, name),
  project: { name: project, config: { root } },
});

test('the longest files of a project come first, longest before long, and projects stay apart', () => {
  const [longest = '', long = ''] = LONGEST;
  const one = [file('test/a.test.ts', 'one'), file(long, 'one'), file('test/b.test.ts', 'one'), file(longest, 'one')];
  const other = [file('test/c.test.ts', 'other'), file(long, 'other')];
  const [a, second, b, first] = one;
  const [c, alsoLong] = other;
  expect(longestFirst([...one, ...other])).toEqual([first, second, a, b, alsoLong, c]);
});

test('every file that is known to take long is there', () => {
  expect(LONGEST.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});
