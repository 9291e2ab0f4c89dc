import { join } from 'node:path';
import type { GitCall } from '../git/process/git.ts';
import { proofRepository } from '../git/worktree/proof-repository.ts';
import { giveFiles } from '../actors/proof/files-for-proof.ts';
import { isAsBrought, keepMirror, type Mirror, newMirror, removeMirror, takeMirror } from '../actors/proof/mirror.ts';
import { makeOutsideFolder, PROOFS, removeProofFolder } from '../actors/proof/proof-folder.ts';
import { inOwnFolder, makeOwnFolder, OWN_FOLDER } from '../log/own-folder.ts';
import { legCaches } from './leg-caches.ts';
import { givenDependencies, isFree } from './dependencies-of-proof.ts';
import { type PlannedLegs, plannedLegs } from './plan-legs.ts';
import type { LegsSubject } from './legs-subject.ts';
import { walledLegs } from './legs-behind-walls.ts';
import { copiedLegs } from './legs-in-copy.ts';
import type { PlaceLeg, ProbeWalls, ProofGround } from './proof-places.ts';
import { probeOf, WallsMissingError } from './strictness.ts';

/** The trees of both legs, and where their checks run. */
export interface PreparedLegs {
  readonly plan: PlannedLegs;
  /** Folders of installed dependencies, from the top of the workspace. */
  readonly dependencies: readonly string[];
  /** The same plan with changes of grounds that count. Null: the run was started to let none count. */
  readonly planAllowed: () => Promise<PlannedLegs | null>;
  readonly place: PlaceLeg;
  /** CPU time of all that ran in the legs so far. Null: the system does not say it. */
  readonly cpuMs: () => number | null;
  /** Keeps what the checks of a leg have left in build caches, for the legs after it. */
  readonly keepBuilt: (leg: string) => Promise<void>;
  readonly prepare: readonly string[];
  /** Provided files that are not what they were when the run began. */
  readonly providedChanged: readonly string[];
  /** The repository that has both trees. */
  readonly call: GitCall;
  /** Why there are no walls. Null: there are. */
  readonly obstacle: string | null;
  /** Whether no process has changed the checkout since the last leg was placed, as far as that is known. */
  readonly isUntouched: () => Promise<boolean>;
}

export interface Preparing {
  readonly signal: AbortSignal;
  /** The run at whose end the checkout is removed, which serves all below it, too. Absent: it is not kept. */
  readonly keptFor?: string | undefined;
  readonly probe?: ProbeWalls | undefined;
}

/**
 * Prepares the legs of a proof in a folder of its own: behind walls, or where there can be none in a copy. The folder
 * is removed afterwards, or kept for the next proof of a run. Throws a `GitError`, and where walls are required that
 * cannot stand, a `WallsMissingError`.
 */
export async function inProof<Value>(
  subject: LegsSubject,
  how: Preparing,
  work: (legs: PreparedLegs) => Promise<Value>,
): Promise<Value> {
  const own = join(subject.origin.mainRoot, OWN_FOLDER);
  await inOwnFolder(own, () => makeOwnFolder(own));
  const walled = await inMirror(join(own, PROOFS), subject, how.keptFor, async (mirror) => {
    const { ground, ...prepared } = await preparedIn(mirror, subject);
    const { obstacle, ...placed } = await walledLegs(ground, how.signal, probeOf(subject.asked, how.probe));
    const isUntouched = async () => (await isAsBrought(mirror)) !== false;
    if (obstacle !== null) return { obstacle };
    const keepBuilt = (leg: string) => ground.caches.keep(leg, mirror);
    return { value: await work({ ...prepared, ...placed, keepBuilt, obstacle, isUntouched }) };
  });
  if ('value' in walled) return walled.value;
  const { obstacle } = walled;
  if (subject.asked?.walls === 'required') throw new WallsMissingError(obstacle);
  // Below the workspace a copy would find the files above it.
  const folder = await makeOutsideFolder();
  try {
    const { ground, ...prepared } = await preparedIn(newMirror(folder), subject);
    const placed = { ...copiedLegs(ground), keepBuilt: async () => {}, isUntouched: async () => true };
    return await work({ ...prepared, ...placed, obstacle });
  } finally {
    await removeProofFolder(folder);
  }
}

async function inMirror<Value>(
  parent: string,
  { origin }: LegsSubject,
  run: string | undefined,
  work: (mirror: Mirror) => Promise<Value>,
): Promise<Value> {
  const key = JSON.stringify([run, origin.root, origin.objects]);
  const mirror = await takeMirror(key, parent);
  try {
    return await work(mirror);
  } finally {
    await (run === undefined ? removeMirror(mirror) : keepMirror(key, run, mirror));
  }
}

async function preparedIn(mirror: Mirror, subject: LegsSubject) {
  const { folder } = mirror;
  const { origin, base, work, head, checks, protect, unprotect, deps: names, provided, prepare } = subject;
  const call = await proofRepository(folder, origin);
  const rules = { checks, folder: origin.prefix.replace(/\/$/, ''), protect, unprotect };
  const plan = await plannedLegs({ base, work }, rules, call);
  const { allowGrounds: allowed = [] } = subject.asked ?? {};
  const planAllowed = async () =>
    allowed.length === 0 ? null : plannedLegs({ base, work }, { ...rules, allowed }, call);
  const dependencies = await givenDependencies({ root: origin.root, names, trees: plan.trees });
  const files = join(folder, 'provided');
  // What git keeps is in the trees.
  const wanted = provided.files.filter(({ path }) => isFree(path, plan.trees));
  const providedChanged = await giveFiles(provided.root, wanted, files);
  const paths = wanted.map(({ path }) => path).filter((path) => !providedChanged.includes(path));
  const given = { folder: files, paths };
  const ground: ProofGround = {
    mirror,
    origin,
    head,
    call,
    homePaths: subject.homePaths,
    hidden: subject.hidden,
    workspace: provided.root,
    provided: given,
    dependencies,
    grounds: plan.grounds,
    caches: legCaches(plan.base),
  };
  return { plan, planAllowed, dependencies, prepare, providedChanged, call, ground };
}
