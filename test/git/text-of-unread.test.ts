import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { unreadText } from '../../src/git/capture/text-of-unread.ts';
import { git, repository } from './repository.ts';

const emptyRepositories = (count: number): string =>
  Array.from({ length: count }, (_, index) => `error: 'r${index}/' does not have a commit checked out\n`).join('');

test('L9 what a capture leaves out is named in one sentence, without the hints of git', async () => {
  const { root } = await repository({ file: '1' });
  for (const name of ['empty', 'with a commit']) {
    await mkdir(join(root, name));
    await git(join(root, name), 'init', '--quiet');
  }
  await writeFile(join(root, 'with a commit/file'), '1');
  await git(join(root, 'with a commit'), 'add', '--all');
  await git(join(root, 'with a commit'), 'commit', '--quiet', '--message=first');
  const input = { directory: root, run: '019a0000-0000-7000-8000-000000000000', number: 0 };
  const captured = await captureFolder(input, new AbortController().signal);
  expect(captured?.unread).toBe('empty/ has no commit, and is left out. Commit in it, or let git ignore it.');
});

test('L9 of many repositories the first five are named', () => {
  expect(unreadText(emptyRepositories(7))).toBe(
    'r0/, r1/, r2/, r3/, r4/ and 2 more have no commit, and are left out. Commit in them, or let git ignore them.',
  );
});

test('L9 files and folders that git may not open are named with the reason, each once', () => {
  const file = 'error: open("secret.txt"): Permission denied\nerror: unable to index file \'secret.txt\'\n';
  const said = `warning: could not open directory 'closed/': Permission denied\n${file}${file}`;
  expect(unreadText(said)).toBe(
    'Git cannot read, and leaves out: closed/ (Permission denied), secret.txt (Permission denied). ' +
      'Make that readable, or let git ignore it.',
  );
});

test('L9 what git says otherwise stays in its words', () => {
  expect(unreadText(`${emptyRepositories(1)}fatal: something else\n`)).toMatch(/ ignore it\. fatal: something else$/);
  expect(unreadText('')).toBe('');
});
