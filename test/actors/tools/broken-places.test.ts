import { execFileSync, spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '../../../src/log/envelope.ts';
import { builtinTools } from '../../../src/actors/tools/builtin.ts';
import { toolActor } from '../../../src/actors/tools/tool-actor.ts';
import { containing, failed, workspace } from './workspace.ts';

const args: Readonly<Record<string, Json>> = {
  read: { path: 'a.txt' },
  list: {},
  glob: { pattern: '*' },
  grep: { pattern: 'a' },
  edit: { path: 'a.txt', oldText: 'a', newText: 'b' },
  multi_edit: { path: 'a.txt', edits: [{ oldText: 'a', newText: 'b' }] },
  write: { path: 'new/a.txt', content: 'a' },
  shell: { command: 'true' },
};

test.each(Object.keys(args))('a workspace that disappears is a failed call of %s, and nobody makes it anew', async (tool) => {
  const { directory } = await workspace({ 'a.txt': 'a' });
  const actor = toolActor(builtinTools());
  const made = async (tool: string) => {
    const input = { callId: '0.0', tool, arguments: args[tool] ?? null, directory, environment: [], readable: [] };
    const call = { id: 'gone/3/0', attempt: 1, signal: new AbortController().signal, delta: () => {} };
    return await Array.fromAsync(actor.perform(input, call));
  };
  expect(await made('list')).toMatchObject([{ type: 'tool.completed' }]);
  await rm(directory, { recursive: true });
  const code = expect.stringMatching(tool === 'shell' ? /^tool_threw$/ : /^(workspace_missing|file_refused)$/);
  expect(await made(tool)).toMatchObject([{ type: 'tool.failed', payload: { fault: { code } } }]);
  expect(spawnSync('ls', ['-d', directory]).status).not.toBe(0);
});

/** Runs in a namespace of its own, where a file system of a few pages can be mounted. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

test.skipIf(!canMount)('a full disk is a failed call that says so, the file as it was and nothing left behind', async () => {
  const { directory } = await workspace();
  const host = `
    const { calling } = await import(${JSON.stringify(join(import.meta.dirname, 'lone-call.ts'))});
    const { readFileSync, readdirSync, writeFileSync } = await import('node:fs');
    const directory = ${JSON.stringify(directory)};
    writeFileSync(directory + '/a.txt', 'old');
    const content = 'x'.repeat(1_000_000);
    const results = [
      await calling(directory, 'write', { path: 'a.txt', content }),
      await calling(directory, 'write', { path: 'b.txt', content }),
      await calling(directory, 'edit', { path: 'a.txt', oldText: 'old', newText: content }),
    ];
    console.log(JSON.stringify({ results, text: readFileSync(directory + '/a.txt', 'utf8'), names: readdirSync(directory) }));`;
  const mount = 'mount -t tmpfs -o size=64k none "$0" && exec "$@"';
  const node = [process.execPath, '--input-type=module', '-e', host];
  const printed = execFileSync('unshare', ['-rm', '/bin/sh', '-c', mount, directory, ...node], { encoding: 'utf8' });
  const full = (path: string) => failed('file_refused', containing(`${path}: the disk is full`));
  expect(JSON.parse(printed)).toEqual({ results: [full('a.txt'), full('b.txt'), full('a.txt')], text: 'old', names: ['a.txt'] });
});
