import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, stat, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_FILE_BYTES, MAX_LIST_ENTRIES, MAX_OUTPUT_BYTES } from '../../../src/actors/tools/tool.ts';
import { replaceText } from '../../../src/actors/tools/text-file.ts';
import { fc } from '../../support/fast-check.ts';
import { tenthOfMany } from '../../support/tenth.ts';
import { calling, completed, containing, failed, reconciling, workspace } from './workspace.ts';

describe('read', () => {
  const numbered = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}\n`).join('');

  test('answers with the text exactly as it is', async () => {
    const { directory } = await workspace({ 'a.txt': '\ufeffä\r\n\tb  \n\nlast' });
    expect(await calling(directory, 'read', { path: 'a.txt' })).toEqual([completed('\ufeffä\r\n\tb  \n\nlast')]);
  });

  test.each([
    [{ startLine: 2, endLine: 3 }, 'two\nthree\n'],
    [{ startLine: 3 }, 'three\n'],
    [{ endLine: 1 }, 'one\n'],
    [{ startLine: 3, endLine: 99 }, 'three\n'],
  ])('answers with a range of lines: %j', async (range, output) => {
    const { directory } = await workspace({ 'a.txt': 'one\ntwo\nthree\n' });
    expect(await calling(directory, 'read', { path: 'a.txt', ...range })).toEqual([completed(output)]);
  });

  test('whole lines of a long file, and following where it says to read on gives all of it', async () => {
    const { directory } = await workspace({ 'a.txt': numbered });
    let text = '';
    for (let startLine = 1; ;) {
      const [event] = await calling(directory, 'read', { path: 'a.txt', startLine });
      if (event?.type !== 'tool.completed') throw new Error('reading failed');
      expect(Buffer.byteLength(event.payload.output)).toBeLessThanOrEqual(MAX_OUTPUT_BYTES);
      const note = /^([^]*)\n\[lines \d+ to \d+ of 20000; read on with startLine (\d+)\]$/;
      const [, part, next] = note.exec(event.payload.output) ?? [];
      text += part ?? event.payload.output;
      if (next === undefined) break;
      startLine = Number(next);
    }
    expect(text).toBe(numbered);
  });

  test('a line that is too long is cut in its middle', async () => {
    const { directory } = await workspace({ 'a.txt': `${'ä'.repeat(40_000)}\nnext\n` });
    const [event] = await calling(directory, 'read', { path: 'a.txt' });
    const output = /^ä+\n\[… \d+ bytes left out …\]\nä+\n\n\[lines 1 to 1 of 2; read on with startLine 2\]$/;
    expect(event).toEqual(completed(expect.stringMatching(output)));
  });

  test('says that a file is empty', async () => {
    const { directory } = await workspace({ 'a.txt': '' });
    expect(await calling(directory, 'read', { path: 'a.txt' })).toEqual([completed('[a.txt is empty]')]);
  });

  test.each([
    ['missing.txt', {}, 'file_refused', 'no such file'],
    ['sub', {}, 'file_refused', 'is a directory'],
    ['a.txt/b', {}, 'file_refused', 'part of the path is a file'],
    ['null.bin', {}, 'file_refused', 'binary'],
    ['latin1.txt', {}, 'file_refused', 'binary'],
    ['huge.txt', {}, 'file_refused', `more than the ${MAX_FILE_BYTES}`],
    ['pipe', {}, 'file_refused', 'not a regular file'],
    ['../a.txt', {}, 'path_refused', '..'],
    ['a.txt', { startLine: 2 }, 'range_refused', 'has only 1 lines'],
    ['a.txt', { startLine: 2, endLine: 1 }, 'range_refused', 'endLine 1 comes before startLine 2'],
  ])('refuses %s %j', async (path, range, code, message) => {
    const binary = { 'null.bin': 'a\0b', 'latin1.txt': Buffer.from([0xe4]) };
    const { directory } = await workspace({ 'a.txt': 'a\n', 'sub/x': '', 'huge.txt': '', ...binary });
    await truncate(join(directory, 'huge.txt'), MAX_FILE_BYTES + 1);
    execFileSync('/bin/sh', ['-c', 'mkfifo pipe'], { cwd: directory });
    expect(await calling(directory, 'read', { path, ...range })).toEqual([failed(code, containing(message))]);
  });
});

describe('write', () => {
  test('creates a file and its folders, and leaves nothing else', async () => {
    const { directory, read, names } = await workspace();
    const args = { path: 'a/b/c.txt', content: 'ä\r\n' };
    expect(await calling(directory, 'write', args)).toEqual([completed('a/b/c.txt: 4 bytes written')]);
    expect(await read('a/b/c.txt')).toBe('ä\r\n');
    expect(await names()).toEqual(['a', 'a/b', 'a/b/c.txt']);
  });

  test('replaces what a file held, keeps its mode, and never writes into it', async () => {
    const { directory, read } = await workspace({ 'run.sh': 'old and longer' });
    await chmod(join(directory, 'run.sh'), 0o751);
    const before = await stat(join(directory, 'run.sh'));
    await calling(directory, 'write', { path: 'run.sh', content: 'new' });
    const after = await stat(join(directory, 'run.sh'));
    expect(await read('run.sh')).toBe('new');
    expect(after.mode).toBe(before.mode);
    expect(after.ino).not.toBe(before.ino);
  });

  test('goes through a link to the file it means', async () => {
    const { directory, read } = await workspace({ 'real.txt': 'old' });
    await symlink('real.txt', join(directory, 'link.txt'));
    await calling(directory, 'write', { path: 'link.txt', content: 'new' });
    expect(await read('real.txt')).toBe('new');
  });

  test.each([
    [{ path: 'sub', content: 'x' }, 'file_refused', 'is a directory'],
    [{ path: 'a.txt/b', content: 'x' }, 'file_refused', 'part of the path is a file'],
    [{ path: 'b.txt', content: 'x'.repeat(MAX_FILE_BYTES + 1) }, 'file_refused', `more than the ${MAX_FILE_BYTES}`],
    [{ path: '.git/config', content: 'x' }, 'path_refused', 'off limits'],
    [{ path: 'b.txt', content: '\ud800' }, 'arguments_invalid', 'content: Invalid input: expected well-formed Unicode'],
  ])('refuses, and changes nothing', async (args, code, message) => {
    const { directory, read, names } = await workspace({ 'a.txt': 'a', 'sub/x': '' });
    const before = await names();
    expect(await calling(directory, 'write', args)).toEqual([failed(code, containing(message))]);
    expect(await names()).toEqual(before);
    expect(await read('a.txt')).toBe('a');
  });

  test('killed half way, it leaves the old file whole, and clears up when it is started again', async () => {
    const { directory, read, names } = await workspace({ 'a.txt': 'old' });
    const source = join(import.meta.dirname, '../../../src/actors/tools/text-file.ts');
    const place = { path: 'a.txt', real: join(directory, 'a.txt'), root: directory };
    const host = `
      const { replaceText } = await import(${JSON.stringify(source)});
      const signal = { throwIfAborted: () => process.kill(process.pid, 'SIGKILL') };
      await replaceText(${JSON.stringify(place)}, 'new', { effect: 'run/3/0', signal });`;
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', host]).signal).toBe('SIGKILL');
    expect([await read('a.txt'), (await names()).length]).toEqual(['old', 2]);
    await calling(directory, 'write', { path: 'a.txt', content: 'new' }, { id: 'run/3/0' });
    expect([await read('a.txt'), await names()]).toEqual(['new', ['a.txt']]);
  });

  test('told to stop before the file is in its place, it leaves nothing', async () => {
    const { directory, names } = await workspace();
    const place = { path: 'a.txt', real: join(directory, 'a.txt'), root: directory };
    await expect(replaceText(place, 'new', { effect: 'run/3/0', signal: AbortSignal.abort() })).rejects.toThrow(
      'aborted',
    );
    expect(await names()).toEqual([]);
  });

  test('after a crash it is known to have happened, or may be started', async () => {
    const { directory } = await workspace({ 'sub/x': '' });
    const args = { path: 'a.txt', content: 'text' };
    expect(await reconciling(directory, 'write', args)).toBeNull();
    const [result] = await calling(directory, 'write', args);
    expect(await reconciling(directory, 'write', args)).toEqual(result);
    await calling(directory, 'write', { path: 'a.txt', content: 'other' });
    expect(await reconciling(directory, 'write', args)).toBeNull();
    expect(await reconciling(directory, 'write', { path: 'sub', content: '' })).toBeNull();
  });
});

describe('edit', () => {
  test('replaces the one place', async () => {
    const { directory, read } = await workspace({ 'a.ts': 'const a = 1;\r\nconst b = 2;\r\n' });
    const args = { path: 'a.ts', oldText: 'b = 2', newText: 'b = 3' };
    expect(await calling(directory, 'edit', args)).toEqual([completed('a.ts: the new text is in place')]);
    expect(await read('a.ts')).toBe('const a = 1;\r\nconst b = 3;\r\n');
  });

  test('replaces every place when asked to', async () => {
    const { directory, read } = await workspace({ 'a.ts': 'a a' });
    await calling(directory, 'edit', { path: 'a.ts', oldText: 'a', newText: '', replaceAll: true });
    expect(await read('a.ts')).toBe(' ');
  });

  test.each([
    [{ path: 'a.ts', oldText: 'x', newText: 'y' }, 'edit_refused', 'a.ts: the old text occurs 2 times'],
    [{ path: 'a.ts', oldText: 'z', newText: 'y' }, 'edit_refused', 'a.ts: the old text does not occur'],
    [{ path: 'b.ts', oldText: 'x', newText: 'y' }, 'file_refused', 'b.ts: there is no such file'],
    [{ path: 'a.bin', oldText: 'x', newText: 'y' }, 'file_refused', 'binary'],
  ])('refuses %j, and changes nothing', async (args, code, message) => {
    const { directory, read } = await workspace({ 'a.ts': 'x x', 'a.bin': 'x\0' });
    expect(await calling(directory, 'edit', args)).toEqual([failed(code, containing(message))]);
    expect([await read('a.ts'), await read('a.bin')]).toEqual(['x x', 'x\0']);
  });

  test('side by side in one file, one of them refused, no change is lost', async () => {
    const letters = [...'abcdefgh'];
    const { directory, read } = await workspace({ 'a.txt': letters.join('') });
    await Promise.all(
      ['?', ...letters].map((letter, index) => {
        const args = { path: 'a.txt', oldText: letter, newText: `<${letter}` };
        return calling(directory, 'edit', args, { id: `run/3/${index}` });
      }),
    );
    expect(await read('a.txt')).toBe('<a<b<c<d<e<f<g<h');
  });

  test('after a crash on either side of it, it has happened once', async () => {
    const short = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength });
    const texts = [short(1, 8), short(1, 2), short(0, 3)] as const;
    const { directory, read } = await workspace();
    await fc.assert(
      fc.asyncProperty(...texts, fc.boolean(), async (text, oldText, newText, happened) => {
        const args = { path: 'a.txt', oldText, newText };
        await calling(directory, 'write', { path: 'a.txt', content: text });
        const [made] = await calling(directory, 'edit', args);
        fc.pre(made?.type === 'tool.completed');
        const wanted = await read('a.txt');
        if (!happened) await calling(directory, 'write', { path: 'a.txt', content: text });

        const known = await reconciling(directory, 'edit', args);
        expect(known).toEqual(happened ? made : null);
        if (known === null) expect(await calling(directory, 'edit', args)).toEqual([made]);
        expect(await read('a.txt')).toBe(wanted);
      }),
      { numRuns: tenthOfMany(200) },
    );
  });

  test('after a crash a file that is gone, or no text, is for the edit itself to refuse', async () => {
    const { directory } = await workspace({ 'a.bin': '\0' });
    expect(await reconciling(directory, 'edit', { path: 'a.txt', oldText: 'a', newText: 'b' })).toBeNull();
    expect(await reconciling(directory, 'edit', { path: 'a.bin', oldText: 'a', newText: '' })).toBeNull();
  });
});

describe('list', () => {
  test('names what is there, in order, by kind, without what is off limits', async () => {
    const records = { '.git/config': '', '.loopfold/log.db': '' };
    const { directory } = await workspace({ 'b.txt': '', 'a/deep/x.ts': '', '.env': '', ...records });
    await symlink('b.txt', join(directory, 'link'));
    expect(await calling(directory, 'list', {})).toEqual([completed('.env\na/\nb.txt\nlink@')]);
  });

  test('as deep as it is asked to, not through links', async () => {
    const { directory } = await workspace({ 'a/deep/x.ts': '', 'a/y.ts': '', 'a/.git': '' });
    await symlink('.', join(directory, 'a/loop'));
    expect(await calling(directory, 'list', { depth: 2 })).toEqual([completed('a/\na/deep/\na/loop@\na/y.ts')]);
    const inner = await calling(directory, 'list', { path: 'a', depth: 2 });
    expect(inner).toEqual([completed('deep/\ndeep/x.ts\nloop@\ny.ts')]);
  });

  test('no more than the limit, and says so', async () => {
    const files = Array.from({ length: MAX_LIST_ENTRIES + 1 }, (_, index) => [`sub/f${index}`, '']);
    const { directory } = await workspace(Object.fromEntries(files));
    const [event] = await calling(directory, 'list', { path: 'sub' });
    if (event?.type !== 'tool.completed') throw new Error('listing failed');
    const lines = event.payload.output.split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([
      MAX_LIST_ENTRIES + 1,
      `[only the first ${MAX_LIST_ENTRIES}, 1 more]`,
    ]);
  });

  test('exactly the limit is all there is', async () => {
    const files = Array.from({ length: MAX_LIST_ENTRIES }, (_, index) => [`f${index}`, '']);
    const { directory } = await workspace(Object.fromEntries(files));
    const [event] = await calling(directory, 'list', {});
    expect(event).toEqual(completed(expect.not.stringContaining('only')));
  });

  test('says what is empty, missing, or no directory', async () => {
    const { directory } = await workspace({ 'a.txt': '' });
    await mkdir(join(directory, 'sub'));
    const listing = (path: string) => calling(directory, 'list', { path });
    expect(await listing('sub')).toEqual([completed('[sub is empty]')]);
    expect(await listing('missing')).toEqual([failed('file_refused', containing('no such'))]);
    expect(await listing('a.txt')).toEqual([failed('file_refused', containing('not a directory'))]);
  });
});
