import { mkdtempSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOf, thisProcess } from './holder.ts';
import { orPlaceFault } from './environment-fault.ts';
import { sha256 } from './sha256.ts';

/** The remedy where no temporary files can be written. */
export const NO_TEMPORARY_FILES =
  'Make that a folder that can be written to, or set TMPDIR to another; then try again.';

/** Folders of processes that are gone which one process removes. */
const MAX_REMOVED = 100;
const HASH_CHARS = 8;
/** Our name, a kind, then the process: its pid, where the pid means it, and when it started. */
const NAME = /^loopfold-[a-z]+-(\d+)-([0-9a-f]{8})-([0-9a-f]{8})-/;

const short = (text: string): string => sha256(text).slice(0, HASH_CHARS);

/** The beginning of the name of a temporary folder of this process. */
function prefix(kind: string): string {
  const { pid, host, processStart } = thisProcess();
  return join(tmpdir(), `loopfold-${kind}-${pid}-${short(host)}-${short(processStart)}-`);
}

let isSwept = false;

/**
 * Makes a folder of its own among the temporary files. The first one of a process removes those of processes that were
 * killed. Throws an `EnvironmentFault` where there can be none.
 */
export async function makeTemporaryFolder(kind: string): Promise<string> {
  if (!isSwept) {
    isSwept = true;
    await removeAbandonedFolders(tmpdir()).catch(() => {});
  }
  try {
    return await mkdtemp(prefix(kind));
  } catch (error) {
    throw orPlaceFault(tmpdir(), NO_TEMPORARY_FILES, error);
  }
}

/** The same at once. Throws the error of the system. */
export const makeTemporaryFolderNow = (kind: string): string => mkdtempSync(prefix(kind));

/** Removes the temporary folders of processes that ran here and are gone. Of other machines nothing is known. */
export async function removeAbandonedFolders(parent: string): Promise<void> {
  const { host, processStart } = thisProcess();
  if (processStart === '') return;
  const left = (await readdir(parent)).filter((name) => {
    const [, pid = '', place = '', start = ''] = NAME.exec(name) ?? [];
    return place === short(host) && short(startOf(Number(pid)) ?? '') !== start;
  });
  for (const name of left.slice(0, MAX_REMOVED))
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
}
