import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { GitStart } from '../../src/git/process/git-child.ts';
import { temporaryFolder } from './repository.ts';

/** Starts a child that would go on, and says its process id in `told`. */
export const WITH_CHILD = 'sleep 600 & echo $! > "$FOLDER/told.new"; mv "$FOLDER/told.new" "$FOLDER/told"';

/** A program that is found as git, and the call that starts it. */
export async function standInGit(lines: string) {
  const folder = await temporaryFolder();
  const git = join(folder, 'git');
  await writeFile(git, `#!/bin/sh\n${lines}\n`);
  await chmod(git, 0o755);
  const environment = { PATH: `${folder}:${process.env['PATH']}`, FOLDER: folder };
  const call: GitStart = { args: [], environment };
  const told = async () => readFile(join(folder, 'told'), 'utf8').catch(() => '');
  return { call, folder, told };
}

/** Resolves when a process has ended: a zombie has. */
export async function gone(pid: string): Promise<void> {
  await expect
    .poll(async () => /^State:\s+[^ZX]/m.test(await readFile(`/proc/${pid.trim()}/status`, 'utf8').catch(() => '')))
    .toBe(false);
}
