import { constants, copyFile, lstat, mkdir, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type { Isolation } from '../../../machines/settings.ts';
import { isOwnEntry } from './dependency-manifest.ts';
import { ownEnvironment } from '../../text/own-programs.ts';

export type Given = Isolation['dependencies'][number]['by'];

/** The longest time that one folder of dependencies is copied. */
const COPY_TIMEOUT_MS = 600_000;

/** Whether files can be copied without their content, which both copies then share until one is written to. */
export async function clones(file: string): Promise<boolean> {
  const copy = `${file}.clone`;
  return copyFile(file, copy, constants.COPYFILE_FICLONE_FORCE)
    .then(
      () => true,
      () => false,
    )
    .finally(() => rm(copy, { force: true }));
}

/**
 * Gives a worktree a folder of dependencies: as a copy on write, else as a copy of hard links with an own `.bin` and
 * `.cache`, else as a link to the folder itself.
 */
export async function copyDependencies(from: string, to: string, canClone: boolean): Promise<Given> {
  await mkdir(dirname(to), { recursive: true });
  const found = await lstat(from);
  if (found.isDirectory()) {
    if (canClone && (await copied(CLONE, from, to))) return 'copy-on-write';
    if ((await copied(HARD_LINKS, from, to)) && (await makeOwn(from, to))) return 'hard-links';
  }
  await symlink(await realpath(from), to);
  return 'link';
}

const CLONE = process.platform === 'darwin' ? ['-Rpc'] : ['-a', '--reflink=always'];
const HARD_LINKS = ['-al'];

/** False, with nothing left, where `cp` cannot do that here. */
async function copied(how: readonly string[], from: string, to: string): Promise<boolean> {
  const { exitCode } = await execa('cp', [...how, '--', from, to], {
    env: ownEnvironment(),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: COPY_TIMEOUT_MS,
  });
  if (exitCode === 0) return true;
  await rm(to, { recursive: true, force: true });
  return false;
}

/** Caches and lists of a package manager are written in place: a hard link would change the origin's. */
async function makeOwn(from: string, to: string): Promise<boolean> {
  const own = (await readdir(to)).filter(isOwnEntry);
  for (const name of own) {
    await rm(join(to, name), { recursive: true, force: true });
    if (!(await copied(['-a'], join(from, name), join(to, name)))) {
      await rm(to, { recursive: true, force: true });
      return false;
    }
  }
  return true;
}
