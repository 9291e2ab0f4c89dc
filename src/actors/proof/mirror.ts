import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyFolder, makeProofFolder, removeProofFolder, removeTrees } from './proof-folder.ts';
import { isUntouched, type Seal, SEALED, sealOf } from './mirror-seal.ts';

// A checkout of a large tree takes seconds, and bringing it to the next tree a few milliseconds. Checks behind walls
// write into layers over it, so it stays as git has made it, and is kept for the next verification of the run.

/** The checkout that the layers of a proof lie over, and its index. */
export interface Mirror {
  /** The proof's own folder: `mirror` in it is the checkout. All but what is sealed is made anew for each proof. */
  readonly folder: string;
  /** Null: what is in the checkout is not known. */
  seal: Seal | null;
}

/** More checkouts than this are not kept in a process: the oldest goes. */
const MAX_KEPT = 4;

interface KeptMirror extends Mirror {
  /** The run at whose end it goes. */
  readonly run: string;
}

const kept = new Map<string, KeptMirror>();

/** The mirror that was kept under a key, which no other proof gets meanwhile, or a new one in a folder. */
export async function takeMirror(key: string, parent: string): Promise<Mirror> {
  const found = kept.get(key);
  kept.delete(key);
  if (found) {
    const isThere = await emptyFolder(found.folder, SEALED).then(
      () => true,
      () => false,
    );
    if (isThere) return found;
    await removeProofFolder(found.folder);
  }
  return { folder: await makeProofFolder(parent), seal: null };
}

/** Keeps a mirror for the next proof of this run under the same key. One that is not sealed is removed. */
export async function keepMirror(key: string, run: string, { folder, seal }: Mirror): Promise<void> {
  const before = kept.get(key);
  kept.delete(key);
  if (before) await removeProofFolder(before.folder);
  if (seal === null) return removeProofFolder(folder);
  await emptyFolder(folder, SEALED);
  kept.set(key, { folder, seal, run });
  const [oldest] = kept.size > MAX_KEPT ? kept : [];
  if (!oldest) return;
  kept.delete(oldest[0]);
  await removeProofFolder(oldest[1].folder);
}

/** Removes what is kept for a run. Null: nothing is. */
export function dropMirrors(run: string): Promise<void> | null {
  const its = [...kept].filter(([, mirror]) => mirror.run === run);
  if (its.length === 0) return null;
  for (const [key] of its) kept.delete(key);
  return Promise.all(its.map(([, { folder }]) => removeProofFolder(folder))).then(() => {});
}

/** Brings the checkout to a tree, by `bring`. Where it may have been changed since it was sealed, it is made anew. */
export async function bringMirror(mirror: Mirror, bring: () => Promise<void>): Promise<void> {
  const { folder } = mirror;
  if ((await isAsBrought(mirror)) !== true) {
    await removeTrees(SEALED.map((name) => join(folder, name)));
    await mkdir(join(folder, 'mirror'));
  }
  mirror.seal = null;
  await bring();
  mirror.seal = await sealOf(folder);
}

/** Whether the checkout is what it was brought to. Null: that is not known. */
export const isAsBrought = async ({ folder, seal }: Mirror): Promise<boolean | null> =>
  seal && isUntouched(folder, seal);
