import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecord } from '../../src/git/worktree/worktree-record.ts';
import { placeAt } from '../../src/git/worktree/worktree-place.ts';
import { temporaryFolder } from './repository.ts';

test.each([
  ['a pipe', (path: string) => execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', path]), 'no record of this version'],
  ['a link to what never ends', (path: string) => symlinkSync('/dev/zero', path), 'ELOOP'],
  ['a folder', (path: string) => mkdirSync(path), 'EISDIR'],
])('a record that is %s is not waited for: it cannot be read', async (_, make, reason) => {
  const place = placeAt(join(await temporaryFolder(), 'worktrees/one'));
  mkdirSync(dirname(place.record), { recursive: true });
  make(place.record);
  await expect(readRecord(place)).rejects.toThrow(reason);
});
