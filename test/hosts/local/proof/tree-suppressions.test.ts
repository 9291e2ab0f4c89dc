import { expect, test } from 'vitest';
import { repository } from '../../../git/repository.ts';
import { treeSuppressions } from '../../../../src/verification/tree-suppressions.ts';
import type { Files } from '../../../evidence/story.ts';

/** By how many suppressions the second commit has more than the first. */
async function added(before: Files, after: Files): Promise<number> {
  const { root, git, write, commit } = await repository(before);
  await commit();
  const from = (await git('rev-parse', 'HEAD^{tree}')).trim();
  await write(after);
  await commit();
  const to = (await git('rev-parse', 'HEAD^{tree}')).trim();
  return treeSuppressions({ from, to }, 'all', { directory: root });
}

const FILLER = 'x();\n'.repeat(50);

test.each<[string, Files, Files, number]>([
  ['a text', { 'a.js': 'x();\n' }, { 'a.js': "x('eslint-disable');\n" }, 0],
  ['a fixture of JSON and a page', { 'a.js': '' }, { 'a.json': '["# noqa"]', 'b.md': '`NOLINT`' }, 0],
  ['a comment', { 'a.js': 'x();\n' }, { 'a.js': 'x(); // eslint-disable-line\n' }, 1],
  [
    'a comment that begins far above in a line which is as before',
    { 'a.js': `/*\n${FILLER}eslint is strict */\n` },
    { 'a.js': `/*\n${FILLER}*/ /*\neslint no-undef: 0 */\n` },
    1,
  ],
  [
    'a text that begins far above in a line which is as before',
    { 'a.js': `x(\`${FILLER}\`);\n` },
    { 'a.js': `x(\`${FILLER}// @ts-nocheck\n\`);\n` },
    0,
  ],
  ['a comment in a new file with a blank in its name', { 'a.js': '' }, { 'my b.js': '// @ts-nocheck\n' }, 1],
  ['a comment in a file that git takes for binary', { 'a.js': 'x();\n' }, { 'a.js': '// @ts-nocheck \0\n' }, 1],
  [
    'a comment where attributes call files binary',
    { '.gitattributes': '*.js -diff\n' },
    { 'a.js': '// @ts-nocheck\n' },
    1,
  ],
])('V14 given two trees, when the second one adds %s, then its suppressions are counted', async (...story) => {
  const [, before, after, count] = story;
  expect(await added(before, after)).toBe(count);
});
