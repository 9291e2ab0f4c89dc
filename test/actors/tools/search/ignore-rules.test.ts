import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '../../../../src/log/envelope.ts';
import { fc } from '../../../support/fast-check.ts';
import { tenthOfMany } from '../../../support/tenth.ts';
import { calling, workspace } from '../workspace.ts';

const git = (directory: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'core.excludesFile=/dev/null', ...args], { cwd: directory, encoding: 'utf8' });

async function found(directory: string, args: Record<string, Json> = {}): Promise<string[]> {
  const [event] = await calling(directory, 'glob', { pattern: '**', ...args });
  if (event?.type !== 'tool.completed') throw new Error(JSON.stringify(event));
  return event.payload.output.split('\n').filter((line) => !/^\[(\d+ ignored|no file) /.test(line));
}

const untracked = (directory: string, folder = '.') =>
  git(directory, 'ls-files', '-z', '--others', '--exclude-standard', folder)
    .split('\0')
    .filter((path) => path !== '');

const name = fc.constantFrom('a', 'b', 'c', 'a.log', 'b*', '[a]');
const paths = fc.uniqueArray(
  fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/')),
  {
    minLength: 1,
    maxLength: 12,
  },
);
const piece = fc.constantFrom('a', 'b', 'c', '*', '**', '*.log', '[ab]', 'b\\*', '\\[a]');
const pattern = fc
  .tuple(fc.boolean(), fc.boolean(), fc.array(piece, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(
    ([negated, anchored, names, folder]) =>
      `${negated ? '!' : ''}${anchored ? '/' : ''}${names.join('/')}${folder ? '/' : ''}`,
  );
const rules = fc.array(fc.oneof({ weight: 9, arbitrary: pattern }, fc.constantFrom('# a', '', '  ')), { maxLength: 4 });
const nested = fc.dictionary(fc.constantFrom('', 'a/', 'b/', 'a/b/', '[a]/', 'b*/'), rules, { maxKeys: 3 });

test('exactly what git calls ignored is left out, whatever the rules, nested and negated', async () => {
  await fc.assert(
    fc.asyncProperty(paths, nested, rules, async (paths, nested, excluded) => {
      const { directory } = await workspace();
      git(directory, 'init', '--quiet');
      await writeFile(join(directory, '.git/info/exclude'), excluded.join('\n'));
      for (const path of paths) await put(join(directory, path), '');
      for (const [folder, lines] of Object.entries(nested))
        await put(join(directory, folder, '.gitignore'), lines.join('\n'));
      expect((await found(directory)).toSorted()).toEqual(untracked(directory).toSorted());
    }),
    { numRuns: tenthOfMany(400) },
  );
});

/** Where a file is in the way of a folder, or a folder in that of a file, there is simply no such file. */
async function put(place: string, content: string): Promise<void> {
  try {
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
  } catch {
    // One of the two is there.
  }
}

test('the rules of the folders above hold, also above a workspace that is a part of a repository', async () => {
  const { directory } = await workspace({
    '.gitignore': '*.log\n/part/out/\n',
    'part/a.ts': '',
    'part/a.log': '',
    'part/out/b.ts': '',
    'part/sub/.gitignore': '!keep.log\n',
    'part/sub/keep.log': '',
  });
  git(directory, 'init', '--quiet');
  const wanted = ['part/a.ts', 'part/sub/.gitignore', 'part/sub/keep.log'];
  expect(untracked(directory, 'part').toSorted()).toEqual(wanted);
  expect(await found(directory, { path: 'part' })).toEqual(wanted);
  expect(await found(join(directory, 'part'))).toEqual(wanted.map((path) => path.slice('part/'.length)));
});

test('a linked work tree has the exclusions of its repository', async () => {
  const { directory } = await workspace({ 'main/a.ts': '' });
  const main = join(directory, 'main');
  git(main, 'init', '--quiet');
  git(main, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
  git(main, 'worktree', 'add', '--quiet', '../linked');
  await writeFile(join(main, '.git/info/exclude'), 'secret.txt\n');
  await writeFile(join(directory, 'linked/secret.txt'), '');
  await writeFile(join(directory, 'linked/open.txt'), '');
  expect(await found(join(directory, 'linked'))).toEqual(['open.txt']);
});
