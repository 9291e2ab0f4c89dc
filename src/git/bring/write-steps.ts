import { createHash } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, readdir, readlink, rename, rm, rmdir, symlink, unlink } from 'node:fs/promises';
import type { Kept, Step } from './bring-plan.ts';
import { bytesOf, contentSignature, isSpelledAlike, signatureOf, statOf } from '../workspace-path.ts';
import { foldersOf } from '../../evidence/workspace-paths.ts';
import { draftOf } from '../../text/own-files.ts';

// Files are written in two phases. First every new content is copied next to its place, under a name that no capture
// contains: a full disk or a folder without write permission is found here, and nothing has changed. Then each is
// renamed into its place, so that a reader, and a process that is killed, leaves a file either old or new.

export interface Writing {
  readonly root: string;
  /** Has the new files, under the same names. */
  readonly staged: string;
  /** Part of the names of unfinished files, so that a second call finds those of the first. */
  readonly run: string;
  /** Of each path, before it was captured: what has changed since then is not touched. */
  readonly signatures: ReadonlyMap<string, string | null>;
}

const CHANGED = 'the workspace changed at this moment';
const EXECUTABLE = '100755';
const ANY_EXECUTE = 0o111;
const ALL_MODES = 0o777;
const DRAFT_DIGITS = 16;

/** Carries out the steps. Resolves with those that were not, because their files changed meanwhile. */
export async function writeSteps(steps: readonly Step[], writing: Writing): Promise<readonly Kept[]> {
  const drafts = new Map<Step, Buffer>();
  let isBegun = false;
  try {
    for (const step of steps) {
      if (step.next === null) continue;
      const path = await placeOfDraft(step, writing);
      drafts.set(step, path);
      await draft(step, path, writing);
    }
    const kept = await stale(steps, writing);
    if (kept.length > 0) return steps.map(left);
    isBegun = true;
    return await putInPlace(steps, drafts, writing);
  } catch (cause) {
    throw new WorkspaceError(isBegun ? 'half_written' : 'nothing_written', writing.root, cause);
  } finally {
    // One that cannot be removed hides neither the fault nor the others.
    for (const path of drafts.values()) await rm(path, { force: true }).catch(() => {});
  }
}

/** Removes unfinished files that a killed process has left for these paths. */
export async function removeDrafts(
  names: readonly string[],
  { root, run }: Pick<Writing, 'root' | 'run'>,
): Promise<void> {
  for (const name of names) {
    for (const folder of ['', ...foldersOf(name)]) {
      const path = draftPath(root, run, folder, name);
      // Where a change makes a file of a folder, or a folder of a file, one of its folders may be a file now.
      if (await statOf(path)) await rm(path, { force: true });
    }
  }
}

const placeOfDraft = async ({ name }: Step, { root, run }: Writing): Promise<Buffer> =>
  draftPath(root, run, await nearestFolder(root, name), name);

async function draft({ name, next }: Step, path: Buffer, { root, staged }: Writing): Promise<void> {
  const source = bytesOf(staged, name);
  await rm(path, { force: true });
  const made = await statOf(source);
  if (made?.isSymbolicLink()) await symlink(await readlink(source, { encoding: 'buffer' }), path);
  else {
    await copyFile(source, path);
    await chmod(path, await modeOf(bytesOf(root, name), next?.mode === EXECUTABLE, Number(made?.mode ?? 0)));
  }
}

/** The deepest folder on the way to a path that exists. */
async function nearestFolder(root: string, name: string): Promise<string> {
  for (const folder of foldersOf(name).toReversed()) {
    if ((await statOf(bytesOf(root, folder)))?.isDirectory()) return folder;
  }
  return '';
}

export function draftPath(root: string, run: string, folder: string, name: string): Buffer {
  const digest = createHash('sha256').update(`${run}\0${name}`).digest('hex').slice(0, DRAFT_DIGITS);
  return bytesOf(root, `${folder === '' ? '' : `${folder}/`}${draftOf(digest)}`);
}

/** A file that is replaced keeps its permissions, but for the one to execute. */
async function modeOf(path: Buffer, isExecutable: boolean, fresh: number): Promise<number> {
  const present = await statOf(path);
  const mode = (present?.isFile() ? Number(present.mode) : fresh) & ALL_MODES;
  return isExecutable ? mode | ((mode >> 2) & ANY_EXECUTE) : mode & ~ANY_EXECUTE;
}

async function stale(steps: readonly Step[], writing: Writing): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const step of steps) if (!(await isAsCaptured(step, writing))) kept.push(left(step));
  return kept;
}

const left = ({ path, name }: Step): Kept => ({ path, name, because: CHANGED });

const isAsCaptured = async (
  { name }: Step,
  { root, signatures }: Pick<Writing, 'root' | 'signatures'>,
): Promise<boolean> => (await signatureOf(root, name)) === (signatures.get(name) ?? null);

/** Git knows of no empty folders, and no file can be renamed onto one. A folder with files in it stays. */
async function removeEmptyFolders(place: Buffer): Promise<void> {
  if (!(await lstat(place).catch(() => null))?.isDirectory()) return;
  for (const name of await readdir(place, { encoding: 'buffer' }))
    await removeEmptyFolders(Buffer.concat([place, Buffer.from('/'), name]));
  await rmdir(place).catch(() => {});
}

async function putInPlace(
  steps: readonly Step[],
  drafts: ReadonlyMap<Step, Buffer>,
  writing: Writing,
): Promise<readonly Kept[]> {
  const { root } = writing;
  const kept: Kept[] = [];
  const signatures = new Map(writing.signatures);
  const hasChanged = async (step: Step) => !(await isAsCaptured(step, { root, signatures }));
  const linked = hardLinks(writing.signatures);
  for (const step of steps.filter(({ next }) => next === null)) {
    if (await hasChanged(step)) kept.push(left(step));
    else {
      await unlink(bytesOf(root, step.name));
      await removeEmptied(root, step.name);
      await followLinks(linked(step), root, signatures);
      await followSpellings(linked(step), step, root, signatures);
    }
  }
  for (const [step, path] of drafts) {
    const place = bytesOf(root, step.name);
    if (await hasChanged(step)) {
      kept.push(left(step));
      continue;
    }
    for (const folder of foldersOf(step.name)) await makeFolder(bytesOf(root, folder));
    await removeEmptyFolders(place);
    await rename(path, place);
    await followLinks(linked(step), root, signatures);
  }
  return kept;
}

/** The other paths of the same file: their signatures are alike. */
function hardLinks(signatures: ReadonlyMap<string, string | null>): (step: Step) => readonly string[] {
  const groups = new Map<string, string[]>();
  for (const [name, signature] of signatures) {
    if (signature !== null) groups.set(signature, [...(groups.get(signature) ?? []), name]);
  }
  return ({ name }) => (groups.get(signatures.get(name) ?? '') ?? []).filter((other) => other !== name);
}

/** Where the file system ignores case, another spelling of a removed file is gone with it. */
async function followSpellings(
  names: readonly string[],
  removed: Step,
  root: string,
  signatures: Map<string, string | null>,
): Promise<void> {
  for (const name of names) {
    if (isSpelledAlike(name, removed.name) && (await signatureOf(root, name)) === null) signatures.set(name, null);
  }
}

/** A file that loses one of its paths has another signature, and the same content. */
async function followLinks(names: readonly string[], root: string, signatures: Map<string, string | null>) {
  for (const name of names) {
    const now = await signatureOf(root, name);
    if (now !== null && contentSignature(now) === contentSignature(signatures.get(name) ?? ''))
      signatures.set(name, now);
  }
}

/** Never through a symbolic link: `mkdir` fails on one. */
async function makeFolder(path: Buffer): Promise<void> {
  if (!(await statOf(path))?.isDirectory()) await mkdir(path);
}

/** Git knows no empty folders: those that a removal leaves go with it. */
async function removeEmptied(root: string, name: string): Promise<void> {
  for (const folder of foldersOf(name).toReversed()) {
    try {
      await rmdir(bytesOf(root, folder));
    } catch {
      return;
    }
  }
}

/** Files of a workspace could not be written. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
  readonly code: 'nothing_written' | 'half_written';

  constructor(code: WorkspaceError['code'], root: string, cause: unknown) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    const state =
      code === 'nothing_written'
        ? 'No file was changed. Make room or make the folder writable, then try again.'
        : 'Some files were written. The same command writes the others.';
    super(`${root} cannot be written: ${detail}. ${state}`, { cause });
    this.code = code;
  }
}
