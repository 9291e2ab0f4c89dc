import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { textOf } from '../../../../src/git/object-text.ts';
import { treeEntries } from '../../../../src/git/tree-change.ts';
import { formatOf, objectHash } from '../../../../src/git/object-hash.ts';
import { treeHash } from '../../../../src/git/tree-hash.ts';
import { repository } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { WAYS, worked } from './proof-project.ts';

/** Writes an object under a name that is not its own: git does not look when it reads one. */
async function forge(root: string, name: string, kind: string, content: Uint8Array): Promise<void> {
  const file = join(root, '.git/objects', name.slice(0, 2), name.slice(2));
  await mkdir(dirname(file), { recursive: true });
  await chmod(file, 0o644).catch(() => {});
  await writeFile(file, deflateSync(Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content])));
}

const FILES = {
  'package.json': JSON.stringify({ scripts: { test: 'sh check.sh' } }),
  'test/a.txt': 'strict\n',
  'both/a.test.js': '// strict\n',
  'check.sh': 'grep -q done note.txt && cat test/a.txt\n',
};
const checks = ['L1:sh check.sh'];
const entry = (mode: string, name: string, hash: string) =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, 'hex')]);

test('V3 the hash of a tree is computed as git does', async () => {
  for (const options of [[], ['--object-format=sha256']]) {
    const { root, git, commit } = await repository(
      { 'a.b': '1', 'a/b': '2', a0: '3', 'a/c/d': '4', 'ü ö': '5', z: '6' },
      options,
    );
    await commit();
    const tree = (await git('rev-parse', 'HEAD^{tree}')).trim();
    expect(treeHash(await treeEntries(tree, { directory: root }), formatOf(tree))).toBe(tree);
  }
});

testInTurn('V3 an object that is not what its name says proves nothing', async () => {
  const write = { 'note.txt': 'done\n', 'both/a.test.js': '// mine\n', 'both/new.js': '// new\n' };
  const { root, git, proof } = await worked({ files: FILES, checks }, { write });
  const blob = (await git('rev-parse', 'HEAD:test/a.txt')).trim();
  const folder = (await git('rev-parse', 'HEAD:test')).trim();
  const own = (await git('rev-parse', 'HEAD:package.json')).trim();
  for (const { options, walls } of WAYS)
    expect(await proof(options)).toMatchObject({ proven: true, walls: { kind: walls } });
  const forgeries = [
    { name: blob, kind: 'blob', content: Buffer.from('laxer!\n'), truth: Buffer.from('strict\n') },
    {
      name: folder,
      kind: 'tree',
      content: entry('100644', 'b.txt', blob),
      truth: entry('100644', 'a.txt', blob),
    },
    {
      name: own,
      kind: 'blob',
      content: Buffer.from(JSON.stringify({ scripts: { test: 'true' } })),
      truth: Buffer.from(FILES['package.json']),
    },
  ];
  for (const { name, kind, content, truth } of forgeries) {
    await forge(root, name, kind, content);
    if (name === own) await expect(textOf(name, { directory: root })).rejects.toThrow(name);
    for (const { options } of WAYS) await expect(proof(options)).rejects.toThrow('is not what its name says');
    await forge(root, name, kind, truth);
  }
  expect(await proof()).toMatchObject({ proven: true });
  // A folder of the first leg alone, which the work can foresee: its own file, and the test of the base.
  const entries = new Map([
    ['a.test.js', { mode: '100644', hash: (await git('rev-parse', 'HEAD:both/a.test.js')).trim() }],
    ['new.js', { mode: '100644', hash: objectHash('blob', Buffer.from('// new\n'), 'sha1') }],
  ]);
  await forge(root, treeHash(entries, 'sha1'), 'tree', entry('100644', 'new.js', blob));
  for (const { options } of WAYS) await expect(proof(options)).rejects.toThrow('is not what its name says');
});
