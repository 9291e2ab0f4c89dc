import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrueCheckout } from '../../git/worktree/true-checkout.ts';
import { emptyFolder, makeProofFolder, removeProofFolder, removeTrees } from './proof-folder.ts';
import { isUntimed } from './time-faults.ts';
import { FILLED, isUntouched, type Seal, SEALED, sealOf } from './mirror-seal.ts';

// A checkout of a large tree takes seconds, and bringing it to the next tree a few milliseconds. Checks behind walls
// write into layers over it, so it stays as git has made it, and is kept for the next verification of the run.

/** The checkout that the layers of a proof lie over, and its index. */
export interface Mirror {
  /** The proof's own folder: `mirror` in it is the checkout. All but what is sealed is made anew for each proof. */
  readonly folder: string;
  /** Null: what is in the checkout is not known. */
  seal: Seal | null;
  /** What it was brought to, by a name, and what is there. */
  state: string | null;
  checkout: TrueCheckout | null;
  /** Of what the checks of the start have built. Null: nothing is kept of it. */
  filled: Seal | null;
}

/** More checkouts than this are not kept in a process: the oldest goes. */
const MAX_KEPT = 4;

interface KeptMirror extends Mirror {
  /** The run at whose end it goes. */
  readonly run: string;
}

/** The names in the folder of a proof that are kept for the next one. */
const KEPT: readonly string[] = [...SEALED, FILLED];
const kept = new Map<string, KeptMirror>();

export const newMirror = (folder: string): Mirror => ({
  folder,
  seal: null,
  state: null,
  checkout: null,
  filled: null,
});

/** The mirror that was kept under a key, which no other proof gets meanwhile, or a new one in a folder. */
export async function takeMirror(key: string, parent: string): Promise<Mirror> {
  const found = kept.get(key);
  kept.delete(key);
  if (found) {
    const isThere = await emptyFolder(found.folder, KEPT).then(
      () => true,
      () => false,
    );
    if (isThere) return found;
    await removeMirror(found);
  }
  return newMirror(await makeProofFolder(parent));
}

/** Keeps a mirror for the next proof of this run under the same key. One that is not sealed is removed. */
export async function keepMirror(key: string, run: string, mirror: Mirror): Promise<void> {
  const { folder, seal } = mirror;
  const before = kept.get(key);
  kept.delete(key);
  if (before) await removeMirror(before);
  if (seal === null) return removeMirror(mirror);
  await emptyFolder(folder, KEPT);
  kept.set(key, { ...mirror, run });
  const [oldest] = kept.size > MAX_KEPT ? kept : [];
  if (!oldest) return;
  kept.delete(oldest[0]);
  await removeMirror(oldest[1]);
}

const filesIn = ({ checkout }: Mirror): number => checkout?.entries.size ?? 0;

/** Removes a mirror with its folder. */
export const removeMirror = (mirror: Mirror): Promise<void> => removeProofFolder(mirror.folder, filesIn(mirror));

/** Removes what is kept for a run. Null: nothing is. */
export function dropMirrors(run: string): Promise<void> | null {
  const its = [...kept].filter(([, mirror]) => mirror.run === run);
  if (its.length === 0) return null;
  for (const [key] of its) kept.delete(key);
  return Promise.all(its.map(([, mirror]) => removeMirror(mirror))).then(() => {});
}

/**
 * Brings the checkout to a tree, by `bring`, unless it is in that state already. Where it may have been changed since
 * it was sealed, or no time would tell, it is made anew. `state`: names all that `bring` goes by.
 */
export async function bringMirror(
  mirror: Mirror,
  state: string,
  bring: (known: TrueCheckout | null) => Promise<TrueCheckout>,
): Promise<void> {
  const { folder } = mirror;
  const isKept = (await isAsBrought(mirror)) === true && !(await isUntimed(folder));
  if (isKept && mirror.state === state) return;
  if (!isKept) {
    const names = SEALED.map((name) => join(folder, name));
    await removeTrees(names, filesIn(mirror));
    await mkdir(join(folder, 'mirror'));
    mirror.checkout = null;
  }
  mirror.seal = null;
  mirror.state = null;
  mirror.checkout = await bring(mirror.checkout);
  mirror.seal = await sealOf(folder);
  mirror.state = state;
}

/** Whether the checkout is what it was brought to. Null: that is not known. */
export const isAsBrought = async ({ folder, seal }: Mirror): Promise<boolean | null> =>
  seal && isUntouched(folder, seal);
