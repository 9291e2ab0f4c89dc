import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { holdsSecret, suspicionOf } from '../../evidence/secret-files.ts';
import type { GitCall } from './git.ts';
import { listNames, nameText } from './git-names.ts';
import type { LeftOut } from '../../../machines/events.ts';
import { bytesOf } from './workspace-path.ts';

// Git never forgets what was once in its objects, and pushes none of it by itself, but a copy of the folder has it. So
// untracked files that look secret are in no capture. What git tracks is in its objects already.

/** Why such a file is left out, for people. */
export const SECRET = 'it looks secret, and git did not track it when the run began';

/** A larger file is no key. */
const MAX_LOOKED_AT_BYTES = 64 * 1024;

export interface Sorted {
  /** Names that a capture has, in latin1. */
  readonly taken: readonly string[];
  /** Names of files that look secret, in latin1. */
  readonly secret: readonly string[];
  /** What some of the taken hold decided: it may be something else the next time. */
  readonly isDoubtful: boolean;
}

/** Sorts files that git does not track: which of them look secret. `names`: from the root, in latin1. */
export async function withoutSecrets(names: readonly string[], root: string): Promise<Sorted> {
  const taken: string[] = [];
  const secret: string[] = [];
  let isDoubtful = false;
  for (const name of names) {
    const suspicion = name.endsWith('/') ? null : suspicionOf(name);
    const isSecret = suspicion === 'name' || (suspicion === 'content' && (await isSecretInside(root, name)));
    (isSecret ? secret : taken).push(name);
    if (suspicion !== null && !isSecret) isDoubtful = true;
  }
  return { taken, secret, isDoubtful };
}

/** What cannot be read is in no capture either, which says so. */
async function isSecretInside(root: string, name: string): Promise<boolean> {
  // An agent may have put a pipe there, which nothing is ever written to.
  const file = await open(bytesOf(root, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  );
  if (!file) return false;
  try {
    if (!(await file.stat()).isFile()) return false;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_LOOKED_AT_BYTES + 1));
    return bytesRead <= MAX_LOOKED_AT_BYTES && holdsSecret(name, buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}

/** The same of all that git neither tracks nor ignores now. */
export async function untrackedFiles(call: GitCall, pathspecs: readonly string[] = [':/']): Promise<Sorted> {
  const asked = ['ls-files', '-z', '--others', '--exclude-standard', '--', ...pathspecs];
  return withoutSecrets(await listNames(asked, call), call.directory);
}

export const secretsLeftOut = (names: readonly string[]): readonly LeftOut[] =>
  names.map((name) => ({ path: nameText(name), because: SECRET }));
