import { rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { isKnownDead, thisProcess } from '../../log/holder.ts';
import { inOwnFolder } from '../../log/own-folder.ts';
import { jsonIn } from '../../text/json-in.ts';
import { ownEnvironment } from '../../text/own-programs.ts';

/**
 * In our own folder: where proofs have theirs. Between verifications the checkout of one lies in the workspace, where
 * people and agents start test runners and linters: what is in a folder of this name, these leave out.
 */
export const PROOFS = 'proof/node_modules';
const PREFIX = 'loopfold-proof-';
/** Of the process that made a folder, beside it. */
const OWNER = '.json';

const Owner = z.object({ host: z.string(), pid: z.int(), processStart: z.string(), token: z.string() });

const OWN_ALONE = 0o700;

/** Those of this process that are there. */
const own = new Set<string>();

/**
 * Makes an empty folder of this process, and removes those of processes that are gone. Throws an `EnvironmentFault`
 * where no folder can be made.
 */
export async function makeProofFolder(parent: string): Promise<string> {
  return inOwnFolder(parent, async () => {
    await mkdir(parent, { recursive: true });
    for (const left of await leftProofFolders(parent)) await removeProofFolder(left);
    const folder = await mkdtemp(join(parent, PREFIX));
    if (own.size === 0) process.once('exit', removeOwn);
    own.add(folder);
    await writeFile(`${folder}${OWNER}`, JSON.stringify(thisProcess()));
    return folder;
  });
}

/** The same among temporary files, where nothing of the workspace lies above it. */
export const makeOutsideFolder = (): Promise<string> => makeProofFolder(tmpdir());

/** Removes a folder of a proof, with the note of its owner. `files`: as of `removeTrees`. */
export async function removeProofFolder(folder: string, files = 0): Promise<void> {
  await removeTrees([folder], files);
  await rm(`${folder}${OWNER}`, { force: true });
  own.delete(folder);
  if (own.size === 0) process.off('exit', removeOwn);
}

const quiet = () => ({ env: ownEnvironment(), extendEnv: false, reject: false, stdio: 'ignore' }) as const;

/** For so many files a process that removes them takes less CPU time, its start included, than threads of Node. */
const MANY_FILES = 1_000;
const REMOVE_TIMEOUT_MS = 120_000;

/** Removes folders with all that is in them. `files`: how many these are, as far as it is known. */
export async function removeTrees(folders: readonly string[], files = 0): Promise<void> {
  // What it leaves is removed below.
  if (files >= MANY_FILES) await execa('rm', ['-rf', '--', ...folders], { ...quiet(), timeout: REMOVE_TIMEOUT_MS });
  await Promise.all(folders.map(removeTree));
}

async function removeTree(folder: string): Promise<void> {
  try {
    await openWorkFolders(folder);
    await rm(folder, { recursive: true, force: true });
  } catch {
    // Checks leave folders that cannot be written to.
    await execa('chmod', ['-R', 'u+rwX', '--', folder], quiet());
    await rm(folder, { recursive: true, force: true });
  }
}

/** An overlay leaves a folder that its user may not look into. To start a process for it would take longer. */
async function openWorkFolders(layers: string): Promise<void> {
  const names = await readdir(layers).catch(() => []);
  await Promise.all(names.map((name) => chmod(join(layers, name, 'work/work'), OWN_ALONE).catch(() => {})));
}

/** Removes all that a folder has, but for these names. */
export async function emptyFolder(folder: string, kept: readonly string[]): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !kept.includes(name));
  await removeTrees(names.map((name) => join(folder, name)));
}

/** The folders in which processes that are gone have proven something. */
export async function leftProofFolders(parent: string): Promise<readonly string[]> {
  const names = await readdir(parent).catch(() => []);
  const left: string[] = [];
  for (const name of names.filter((one) => one.startsWith(PREFIX) && one.endsWith(OWNER))) {
    const owner = Owner.safeParse(jsonIn(await readFile(join(parent, name), 'utf8').catch(() => '')));
    if (owner.success && isKnownDead(owner.data)) left.push(join(parent, name.slice(0, -OWNER.length)));
  }
  return left;
}

function removeOwn(): void {
  for (const folder of own) {
    try {
      rmSync(folder, { recursive: true, force: true });
      rmSync(`${folder}${OWNER}`, { force: true });
    } catch {
      // The next process that proves something there removes it.
    }
  }
}
