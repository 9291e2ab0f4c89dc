import { constants, lstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { holdsSecret, suspicionOf } from '../../evidence/secret-files.ts';
import type { GitCall } from '../process/git.ts';
import { listNames, nameText } from '../process/git-names.ts';
import type { LeftOut } from '../../../machines/events.ts';
import { formatSize } from '../../text/size.ts';
import { bytesOf } from '../workspace-path.ts';

// Git never forgets what was once in its objects, and pushes none of it by itself, but a copy of the folder has it. So
// untracked files that look secret are in no capture. What git tracks is in its objects already.

/**
 * Limits of one capture for files that are there beside the work: those that git ignores since the run began, and those
 * of repositories that the run has made or cloned. Each kind has them for itself.
 */
export const MAX_INCIDENTAL_FILES = 1_000;
export const MAX_INCIDENTAL_BYTES = 64 * 1024 * 1024;

/** For people. */
export const INCIDENTAL_LIMITS = `more than ${MAX_INCIDENTAL_FILES} files or 64 MiB`;

/**
 * A file that git does not track is captured up to this size, where the run has no limit of its own: a dump or a model
 * beside the code is no work.
 */
export const MAX_UNTRACKED_BYTES = 50 * 1024 * 1024;

/** Why such a file is left out, for people. */
export const SECRET = 'it looks secret, and git did not track it when the run began';

/** The reason why a large file is left out, for people. */
export const largeText = (mostBytes: number): string =>
  `git does not track it, and it has more than ${formatSize(mostBytes)}: git add it, or begin a run with a larger ` +
  '--capture-limit, to have it captured';

/** A larger file is no key. */
const MAX_LOOKED_AT_BYTES = 64 * 1024;

export interface Sorted {
  /** Names that a capture has, in latin1. */
  readonly taken: readonly string[];
  /** Names of files that look secret, in latin1. */
  readonly secret: readonly string[];
  /** Names of files that are over the limit of a capture, in latin1. */
  readonly large: readonly string[];
  /** That limit. */
  readonly mostBytes: number;
  /** What some of the taken hold decided: it may be something else the next time. */
  readonly isDoubtful: boolean;
}

/**
 * Sorts files that git does not track: which of them look secret, or are too large. `names`: from the root, in latin1.
 * `mostBytes`: without a limit in the worktree of a run, which is removed with what the run has made, and in
 * repositories within, which have limits of their own.
 */
export async function withoutSecrets(
  names: readonly string[],
  root: string,
  mostBytes = MAX_UNTRACKED_BYTES,
): Promise<Sorted> {
  const taken: string[] = [];
  const secret: string[] = [];
  const large: string[] = [];
  let isDoubtful = false;
  for (const name of names) {
    const suspicion = name.endsWith('/') ? null : suspicionOf(name);
    const isSecret = suspicion === 'name' || (suspicion === 'content' && (await isSecretInside(root, name)));
    if (suspicion !== null && !isSecret) isDoubtful = true;
    if (isSecret) secret.push(name);
    else (bytesAt(root, name) > mostBytes ? large : taken).push(name);
  }
  return { taken, secret, large, mostBytes, isDoubtful };
}

/** Synchronous: a thread of the pool takes more CPU than the look. */
const bytesAt = (root: string, name: string): number =>
  name.endsWith('/') ? 0 : (lstatSync(bytesOf(root, name), { throwIfNoEntry: false })?.size ?? 0);

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
export async function untrackedFiles(
  call: GitCall,
  {
    pathspecs = [':/'],
    mostBytes,
  }: { readonly pathspecs?: readonly string[]; readonly mostBytes?: number | undefined } = {},
): Promise<Sorted> {
  const asked = ['ls-files', '-z', '--others', '--exclude-standard', '--', ...pathspecs];
  return withoutSecrets(await listNames(asked, call), call.directory, mostBytes);
}

export const secretsLeftOut = (names: readonly string[]): readonly LeftOut[] =>
  names.map((name) => ({ path: nameText(name), because: SECRET }));

/** What a capture lacks of files that git does not track. */
export const untrackedLeftOut = ({
  secret,
  large,
  mostBytes,
}: Pick<Sorted, 'secret' | 'large' | 'mostBytes'>): readonly LeftOut[] => [
  ...secretsLeftOut(secret),
  ...large.map((name) => ({ path: nameText(name), because: largeText(mostBytes) })),
];
