import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { isKnownDead, thisProcess } from '../../log/holder.ts';
import { jsonIn } from '../../text/json-in.ts';

const PREFIX = 'loopfold-proof-';
/** Of the process that made a folder, beside it. */
const OWNER = '.json';

const Owner = z.object({ host: z.string(), pid: z.int(), processStart: z.string(), token: z.string() });

/** Makes an empty folder of this process, and removes those of processes that are gone. */
export async function makeProofFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  await sweep(parent);
  const folder = await mkdtemp(join(parent, PREFIX));
  await writeFile(`${folder}${OWNER}`, JSON.stringify(thisProcess()));
  return folder;
}

/** Removes a folder of a proof, with the note of its owner. */
export async function removeProofFolder(folder: string): Promise<void> {
  await removeTree(folder);
  await rm(`${folder}${OWNER}`, { force: true });
}

/** Checks leave folders that cannot be written to, and so does an overlay. */
export async function removeTree(folder: string): Promise<void> {
  await execa('chmod', ['-R', 'u+rwX', '--', folder], { reject: false, stdio: 'ignore' });
  await rm(folder, { recursive: true, force: true });
}

async function sweep(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(PREFIX) && name.endsWith(OWNER));
  for (const name of names) {
    const owner = Owner.safeParse(jsonIn(await readFile(join(parent, name), 'utf8').catch(() => '')));
    if (owner.success && isKnownDead(owner.data)) await removeProofFolder(join(parent, name.slice(0, -OWNER.length)));
  }
}
