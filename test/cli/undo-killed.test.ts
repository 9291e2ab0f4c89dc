import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../git/repository.ts';
import { tenthOf } from '../support/tenth.ts';
import { folder, MODEL, Program, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const FILES = Object.fromEntries(['a', 'b', 'c', 'd', 'deep/x'].map((name) => [`${name}.txt`, `${name}\n`]));
const command = 'for f in *.txt; do echo more >> $f; done; rm -r d.txt deep; echo new > e.txt; echo new > f.txt';
const script = { answers: [{ calls: [{ tool: 'shell', arguments: { command } }] }, { text: 'done' }] };

/** Kills the process as it is about to change the n-th file of the workspace: only there, paths are bytes. */
const killing = (call: 'rename' | 'unlink' | 'copyFile', nth: number) => `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const original = fs.promises.${call};
let calls = 0;
fs.promises.${call} = (...given) => {
  if (Buffer.isBuffer(given[0]) && ++calls === ${nth}) process.kill(process.pid, 'SIGKILL');
  return original(...given);
};
syncBuiltinESMExports();
`;

const contents = async (cwd: string) => {
  const names = (await readdir(cwd, { recursive: true })).filter(
    (name) => name.endsWith('.txt') || name.endsWith('.draft'),
  );
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(cwd, name), 'utf8')])),
  );
};

describe('G10 an undo that is killed leaves each file old or new, and a second one finishes it', () => {
  const kills = [
    ['copyFile', 2],
    ['unlink', 1],
    ['unlink', 2],
    ['rename', 1],
    ['rename', 3],
    // The folder of this file is made just before.
    ['rename', 5],
  ] as const;
  test.each(tenthOf(kills))('G10 killed at %s number %d', async (call, nth) => {
    const cwd = await project(script, { ...FILES, '.gitignore': '.loopfold\n' });
    await git(cwd, 'add', '--all');
    await git(cwd, 'commit', '--quiet', '--message=start');
    const { run } = resultIn(
      await loopfold(['run', 'x', ...MODEL, '--loop', 'turn', '--output-format', 'json'], { cwd }),
    );
    const preload = join(await folder(), 'killing.mjs');
    await writeFile(preload, killing(call, nth));
    const after = await contents(cwd);
    const killed = new Program(['undo', run ?? ''], { cwd, node: ['--import', preload] });
    expect((await killed.ended).status).toBe(null);
    const half = await contents(cwd);
    for (const [name, text] of Object.entries(half)) {
      if (!name.endsWith('.draft')) expect([after[name], FILES[name]]).toContain(text);
    }
    expect(half).not.toEqual(FILES);
    expect(await loopfold(['undo', run ?? ''], { cwd })).toMatchObject({ status: 0 });
    expect(await contents(cwd)).toEqual(FILES);
    expect(await loopfold(['undo', run ?? ''], { cwd })).toMatchObject({
      stderr: expect.stringMatching(/it was undone at/),
    });
  });
});
