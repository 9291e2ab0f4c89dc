import { createHash } from 'node:crypto';
import { copyFile, readFile, stat, utimes } from 'node:fs/promises';
import { OWN_NAMES, ownPathspecs } from '../../text/own-files.ts';
import { git, type GitCall } from './git.ts';

/** An index as large as this is looked at in every capture. */
const MAX_REMEMBERED_BYTES = 64 * 1024 * 1024;
const MAX_REMEMBERED = 64;

/** Copies that needed no change, by where they come from. */
const unchanged = new Map<string, string>();

/**
 * Copies the index of a worktree to that of the call: it knows which files are as they were, which spares reading them.
 * The copy lets git look at every file, and has none of the loop's own. Nothing to copy in a new repository.
 */
export async function copyIndex(own: string, copy: string, leaveOut: readonly string[], call: GitCall): Promise<void> {
  const written = await stat(own).catch(() => null);
  if (!written) return;
  await copyIndexFile(own, copy);
  const content = written.size > MAX_REMEMBERED_BYTES ? null : await contentOf(copy, leaveOut);
  if (content !== null && unchanged.get(own) === content) return;
  const isChanged = await lookAtEverything(leaveOut, call);
  unchanged.delete(own);
  if (isChanged || content === null) return;
  unchanged.set(own, content);
  const [oldest = own] = unchanged.size > MAX_REMEMBERED ? unchanged.keys() : [];
  if (oldest !== own) unchanged.delete(oldest);
}

/**
 * Copies an index with its time, which it must have. Git distrusts what it knows of a file as young as the index: a
 * younger copy would hide a change made in between.
 */
export async function copyIndexFile(own: string, copy: string): Promise<void> {
  const { mtimeMs } = await stat(own);
  await copyFile(own, copy);
  const writtenAt = Math.floor(mtimeMs / 1000);
  await utimes(copy, writtenAt, writtenAt);
}

/** Its bytes, not its time: who changes it may set that. */
async function contentOf(index: string, leaveOut: readonly string[]): Promise<string> {
  return createHash('sha256')
    .update(JSON.stringify(leaveOut))
    .update(await readFile(index))
    .digest('hex');
}

const FORGET = ['rm', '-r', '--quiet', '--cached', '--sparse', '--ignore-unmatch'];

/** Someone may have told git to assume that a file does not change, or to track one of the loop's own. */
async function lookAtEverything(leaveOut: readonly string[], call: GitCall): Promise<boolean> {
  const listed = Buffer.from(await git(['ls-files', '-v', '-z'], call))
    .toString('latin1')
    .split('\0');
  const assumed = listed.filter((line) => /^[a-z] /.test(line)).map((line) => `${line.slice(2)}\0`);
  if (assumed.length > 0) {
    const input = Buffer.from(assumed.join(''), 'latin1');
    await git(['update-index', '--no-assume-unchanged', '-z', '--stdin'], { ...call, input });
  }
  const hasOwn = listed.some((line) => mayBeOwn(line.slice(2), leaveOut));
  if (hasOwn) await git([...FORGET, '--', ...ownPathspecs(leaveOut)], call);
  return assumed.length > 0 || hasOwn;
}

/** Whether a path of the index, its bytes as latin1, can be one of the loop's own: git then decides. */
function mayBeOwn(path: string, leaveOut: readonly string[]): boolean {
  const named = [...OWN_NAMES, ...leaveOut.map((own) => Buffer.from(own).toString('latin1'))];
  return named.some((name) => path.includes(name));
}
