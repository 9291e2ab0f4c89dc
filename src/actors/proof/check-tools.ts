import { lstat, realpath } from 'node:fs/promises';
import type { RecordedSurroundings } from '../../../machines/recorded-proof.ts';
import { programOnPath } from './program-on-path.ts';
import { shebangOf } from './shebang.ts';

type Tool = RecordedSurroundings['tools'][number];

/** What users cannot write to: a program there is known by its path. */
export const OF_SYSTEM = /^\/(usr|bin|sbin|lib\w*|nix\/store|snap)\//;

/**
 * What programs are found as, by the folders of a path, and what scripts among them are run by. Of those in
 * `workspaces` only where: they are dependencies, or work.
 */
export async function foundTools(
  names: readonly string[],
  path: string,
  workspaces: readonly string[],
): Promise<Tool[]> {
  const found = new Map<string, Tool>();
  const wanted = [...names];
  // A script may name one more.
  for (const name of wanted) {
    if (found.has(name) || name === '' || name.includes('/')) continue;
    const file = await fileOf(name, path);
    const isOwn = file !== null && !OF_SYSTEM.test(file) && !workspaces.some((root) => file.startsWith(`${root}/`));
    found.set(name, { name, path: file, identity: isOwn ? await identityOf(file) : null });
    const interpreter = file === null ? null : await shebangOf(file);
    if (interpreter !== null) wanted.push(interpreter);
  }
  return [...found.values()];
}

async function fileOf(name: string, path: string): Promise<string | null> {
  const file = await programOnPath(name, path);
  return file === null ? null : realpath(file).catch(() => null);
}

/** Content, place and times: the last of them is set by the system alone. */
async function identityOf(file: string): Promise<string | null> {
  const found = await lstat(file, { bigint: true }).catch(() => null);
  return found && `${found.dev}:${found.ino} ${found.mode} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}
