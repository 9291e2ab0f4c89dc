import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '../../../src/log/envelope.ts';
import { caller } from './lone-call.ts';
import { workspace } from './workspace.ts';

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

test.each(Object.entries(args))(
  'a workspace that is gone fails a call of %s, and is not made anew',
  async (tool, args) => {
    const { directory } = await workspace({ 'a.txt': 'a' });
    const call = caller(directory);
    expect(await call('list', {})).toMatchObject({ type: 'tool.completed' });
    await rm(directory, { recursive: true });
    const code = expect.stringMatching(tool === 'shell' ? /^tool_threw$/ : /^(workspace_missing|file_refused)$/);
    expect(await call(tool, args)).toMatchObject({ type: 'tool.failed', payload: { fault: { code } } });
    expect(existsSync(directory)).toBe(false);
  },
);

/** Runs in a namespace of its own, where a file system of a few pages can be mounted. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

test.skipIf(!canMount)(
  'a full disk is a fault of the environment that says so, and leaves the file as it was and nothing else',
  async () => {
    const { directory } = await workspace();
    const host = `
    const { caller } = await import(${JSON.stringify(join(import.meta.dirname, 'lone-call.ts'))});
    const { readFileSync, readdirSync, writeFileSync } = await import('node:fs');
    const directory = ${JSON.stringify(directory)};
    const call = (...of) => caller(directory)(...of).catch(({ name, message }) => ({ name, message }));
    writeFileSync(directory + '/a.txt', 'old');
    const content = 'x'.repeat(1_000_000);
    const results = [
      await call('write', { path: 'a.txt', content }),
      await call('write', { path: 'b.txt', content }),
      await call('edit', { path: 'a.txt', oldText: 'old', newText: content }),
    ];
    const text = readFileSync(directory + '/a.txt', 'utf8');
    console.log(JSON.stringify({ results, text, names: readdirSync(directory) }));`;
    const mount = 'mount -t tmpfs -o size=64k none "$0" && exec "$@"';
    const node = [process.execPath, '--input-type=module', '-e', host];
    const printed = execFileSync('unshare', ['-rm', '/bin/sh', '-c', mount, directory, ...node], { encoding: 'utf8' });
    const message = (path: string) => `${path}: the disk is full, the file is as it was`;
    const full = (path: string) => ({ name: 'EnvironmentFault', message: message(path) });
    const results = [full('a.txt'), full('b.txt'), full('a.txt')];
    expect(JSON.parse(printed)).toEqual({ results, text: 'old', names: ['a.txt'] });
  },
);
