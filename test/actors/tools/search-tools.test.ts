import { execFileSync } from 'node:child_process';
import { symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_FILE_BYTES, MAX_LIST_ENTRIES, MAX_OUTPUT_BYTES } from '../../../src/actors/tools/tool.ts';
import { calling, completed, containing, failed, workspace } from './workspace.ts';

const tree = {
  '.gitignore': '*.log\n/dist/\n',
  '.github/ci.yml': 'on: push\n',
  'src/a.ts': 'const one = 1;\nconst two = 2;\nconst three = one;\n',
  'src/deep/b.ts': 'export const one = "1.0";\n',
  'src/deep/b.log': 'one\n',
  'dist/a.js': 'one\n',
  '.git/config': 'one\n',
  '.loopfold/log.db': 'one\n',
  'src/.loopfold-0123456789abcdef.draft': 'one\n',
};

describe('glob', () => {
  test.each([
    [{ pattern: '**/*.ts' }, 'src/a.ts\nsrc/deep/b.ts'],
    [{ pattern: '*.ts' }, 'src/a.ts\nsrc/deep/b.ts'],
    [{ pattern: './src/*.ts' }, 'src/a.ts'],
    [{ pattern: 'deep/*', path: 'src' }, 'src/deep/b.ts\n[1 ignored by .gitignore left out]'],
    [{ pattern: '*.{yml,md}' }, '.github/ci.yml'],
    [{ pattern: '*.js' }, '[no file fits]\n[2 ignored by .gitignore left out]'],
    [{ pattern: '*.{js,log}', includeIgnored: true }, 'dist/a.js\nsrc/deep/b.log'],
    [{ pattern: '*', path: 'dist' }, 'dist/a.js'],
  ])('finds files by name: %j', async (args, output) => {
    const { directory } = await workspace(tree);
    const [event] = await calling(directory, 'glob', args);
    const note = /\n\[\d ignored by .gitignore left out\]$/;
    expect(event).toEqual(completed(expect.any(String)));
    const said = event?.type === 'tool.completed' ? event.payload.output : '';
    expect(output.includes('left out') ? said : said.replace(note, '')).toBe(output);
  });

  test('names links, and does not go through them', async () => {
    const { directory } = await workspace({ 'a/x.ts': '' });
    await symlink('a', join(directory, 'b'));
    expect(await calling(directory, 'glob', { pattern: '**' })).toEqual([completed('a/x.ts\nb')]);
  });

  test('says how many more there are, and shows a name with a line end as one', async () => {
    const files = Array.from({ length: MAX_LIST_ENTRIES + 2 }, (_, index) => [`sub/f${index}`, '']);
    const { directory } = await workspace({ ...Object.fromEntries(files), 'a\nb': '' });
    const [event] = await calling(directory, 'glob', { pattern: '*' });
    expect(event).toEqual(completed(expect.stringMatching(/^"a\\nb"\nsub\/f0\n[^]*\[only the first 1000, 3 more\]$/)));
  });

  test.each(['/etc/*', '../*', 'a/../../*'])('refuses the pattern %s', async (pattern) => {
    const { directory } = await workspace();
    expect(await calling(directory, 'glob', { pattern })).toEqual([failed('pattern_invalid', containing(pattern))]);
  });
});

describe('grep', () => {
  test.each([
    [
      { pattern: 'one' },
      'src/a.ts:1:const one = 1;\nsrc/a.ts:3:const three = one;\nsrc/deep/b.ts:1:export const one = "1.0";\n[3 lines match, in 2 files]',
    ],
    [
      { pattern: '^const t\\w+' },
      'src/a.ts:2:const two = 2;\nsrc/a.ts:3:const three = one;\n[2 lines match, in 1 files]',
    ],
    [{ pattern: '1.0', literal: true }, 'src/deep/b.ts:1:export const one = "1.0";\n[1 lines match, in 1 files]'],
    [{ pattern: 'ONE', path: 'src/deep' }, '[no line matches]'],
    [
      { pattern: 'ONE', path: 'src/deep', ignoreCase: true },
      'src/deep/b.ts:1:export const one = "1.0";\n[1 lines match, in 1 files]',
    ],
    [
      { pattern: 'two', context: 1 },
      'src/a.ts-1-const one = 1;\nsrc/a.ts:2:const two = 2;\nsrc/a.ts-3-const three = one;\n[1 lines match, in 1 files]',
    ],
    [{ pattern: 'one', show: 'files' }, 'src/a.ts\nsrc/deep/b.ts\n[3 lines match, in 2 files]'],
    [{ pattern: 'one', show: 'counts', glob: 'src/*.ts' }, 'src/a.ts:2\n[2 lines match, in 1 files]'],
    [{ pattern: 'two', path: 'src/a.ts' }, 'src/a.ts:2:const two = 2;\n[1 lines match, in 1 files]'],
    [
      { pattern: 'one', includeIgnored: true, glob: '*.{log,js,db}' },
      'dist/a.js:1:one\nsrc/deep/b.log:1:one\n[2 lines match, in 2 files]',
    ],
  ])('finds lines: %j', async (args, output) => {
    const { directory } = await workspace(tree);
    const [event] = await calling(directory, 'grep', args);
    const said = event?.type === 'tool.completed' ? event.payload.output : JSON.stringify(event);
    expect(said.replace(/\n\[\d ignored by .gitignore left out\]$/, '')).toBe(output);
  });

  test('shows context once, and parts what does not follow', async () => {
    const text = Array.from({ length: 9 }, (_, index) => (index % 4 === 0 ? 'x' : `${index}`)).join('\n');
    const { directory } = await workspace({ 'a.txt': text });
    const wanted = [
      'a.txt:1:x',
      'a.txt-2-1',
      '--',
      'a.txt-4-3',
      'a.txt:5:x',
      'a.txt-6-5',
      '--',
      'a.txt-8-7',
      'a.txt:9:x',
    ];
    const [event] = await calling(directory, 'grep', { pattern: 'x', context: 1 });
    expect(event).toEqual(completed([...wanted, '[3 lines match, in 1 files]'].join('\n')));
  });

  test('says what it has not searched, and follows no link', async () => {
    const { directory } = await workspace({ 'a.bin': 'one\0', 'huge.txt': 'one', 'sub/x': 'one' });
    await truncate(join(directory, 'huge.txt'), MAX_FILE_BYTES + 1);
    await symlink('sub/x', join(directory, 'link'));
    execFileSync('/bin/sh', ['-c', 'mkfifo pipe'], { cwd: directory });
    const notes = `[1 binary files not searched]\n[1 files of more than ${MAX_FILE_BYTES} bytes not searched]`;
    expect(await calling(directory, 'grep', { pattern: 'one' })).toEqual([
      completed(`sub/x:1:one\n[1 lines match, in 1 files]\n${notes}`),
    ]);
  });

  test('shows a long line around its match, and of much output the head and the tail', async () => {
    const { directory } = await workspace({ 'a.js': `${'a'.repeat(9_000)}needle${'b'.repeat(9_000)}` });
    const [event] = await calling(directory, 'grep', { pattern: 'needle' });
    expect(event).toEqual(completed(expect.stringMatching(/^a\.js:1:…a{100}needleb{294}…\n\[1 lines/)));
    const flood = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join('\n');
    const { directory: other } = await workspace({ 'a.txt': flood });
    const [cut] = await calling(other, 'grep', { pattern: 'line' });
    const output = cut?.type === 'tool.completed' ? cut.payload.output : '';
    expect(output).toMatch(
      /^a\.txt:1:line 0\n[^]*bytes left out[^]*a\.txt:20000:line 19999\n\[20000 lines match, in 1 files\]$/,
    );
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(MAX_OUTPUT_BYTES);
  });

  test.each([
    [{ pattern: '(' }, 'pattern_invalid', 'set literal'],
    [{ pattern: 'a', path: 'missing' }, 'file_refused', 'no such file'],
    [{ pattern: 'a', path: '/etc' }, 'path_refused', 'outside'],
  ])('refuses %j', async (args, code, message) => {
    const { directory } = await workspace();
    expect(await calling(directory, 'grep', args)).toEqual([failed(code, containing(message))]);
  });
});

test('list, more than one level deep, leaves out what is ignored, unless asked', async () => {
  const { directory } = await workspace(tree);
  const said = async (args: { readonly depth: number; readonly includeIgnored?: boolean }) => {
    const [event] = await calling(directory, 'list', args);
    return event?.type === 'tool.completed' ? event.payload.output : event;
  };
  expect(await said({ depth: 1 })).toBe('.github/\n.gitignore\ndist/\nsrc/');
  const all = '.github/\n.github/ci.yml\n.gitignore\nsrc/\nsrc/a.ts\nsrc/deep/';
  expect(await said({ depth: 2 })).toBe(`${all}\n[1 ignored by .gitignore left out]`);
  expect(await said({ depth: 2, includeIgnored: true })).toBe(all.replace('src/\n', 'dist/\ndist/a.js\nsrc/\n'));
});
