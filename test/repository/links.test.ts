import { expect, test } from 'vitest';
import { brokenLinks } from './links.ts';
import { trackedTree } from './tree.ts';

const place = new Map([
  ['src/log/log.ts', 'export {};\n'],
  ['docs/walk.md', '# The walk\n\n## Step 4: `step.ts`, pure\n\n## Again\n\n## Again\n\n```\n# not a heading\n```\n'],
]);

const linksOf = (text: string) => brokenLinks(new Map([...place, ['docs/guides/start.md', text]]));

test('every link in the documentation leads somewhere', () => {
  expect(brokenLinks(trackedTree())).toEqual([]);
});

test.each([
  '../walk.md',
  '../walk.md#the-walk',
  '../walk.md#step-4-stepts-pure',
  '../walk.md#again-1',
  '../../src/log',
  '../../src/log/log.ts#L1',
  'https://example.org/gone.md',
])('%s leads somewhere', (target) => expect(linksOf(`see [it](${target})`)).toEqual([]));

test.each([
  '../run.md',
  '../walk.md#the-run',
  '../walk.md#again-2',
  '../walk.md#not-a-heading',
  '#here',
  '../../src/lo',
  '../../src/log/log.ts#L9',
])('%s is caught', (target) => {
  const caught = [{ file: 'docs/guides/start.md', target }];
  expect(linksOf(`see [it](${target})`)).toEqual(caught);
  expect(linksOf(`see [it]\n\n[it]: ${target}\n`)).toEqual(caught);
});

test('what stands in code is not a link', () => {
  expect(linksOf('`[a](b.md)`\n\n```md\n[a](b.md)\n```\n')).toEqual([]);
});
