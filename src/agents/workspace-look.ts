import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '../git/process/git.ts';

/** Files that are looked at together. */
const AT_ONCE = 64;

/**
 * Looks at the files that git knows or would add: by their sizes and times, which every edit changes. Two looks are the
 * same where nothing was changed. Null: it is no repository, or git cannot be asked.
 */
export async function lookAtWorkspace(directory: string): Promise<string | null> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = await git(list, { directory }).catch(() => null);
  if (listed === null) return null;
  const names = [...new Set(Buffer.from(listed).toString('latin1').split('\0'))].toSorted();
  const look = createHash('sha256');
  for (let first = 0; first < names.length; first += AT_ONCE) {
    const some = names.slice(first, first + AT_ONCE);
    const stats = await Promise.all(some.map((name) => statOf(directory, name)));
    for (const [index, stat] of stats.entries()) look.update(`${some[index]}\0${stat}\0`);
  }
  return look.digest('hex');
}

async function statOf(directory: string, name: string): Promise<string> {
  const path = join(directory, Buffer.from(name, 'latin1').toString());
  const stat = await lstat(path, { bigint: true }).catch(() => null);
  return stat === null ? 'absent' : `${stat.size} ${stat.mode} ${stat.mtimeNs} ${stat.ino}`;
}
