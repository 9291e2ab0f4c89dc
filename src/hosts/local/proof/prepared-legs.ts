import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_NAMED, type RecordedProof } from '../../../../machines/recorded-proof.ts';
import { giveFiles, type ProvidedFile } from '../../../actors/proof/provided-files.ts';
import { isAsBrought, keepMirror, type Mirror, newMirror, takeMirror } from '../../../actors/proof/mirror.ts';
import { makeProofFolder, PROOFS, removeProofFolder } from '../../../actors/proof/proof-folder.ts';
import type { GitCall } from '../../../actors/workspace/git.ts';
import type { OriginRepository } from '../../../actors/workspace/origin-repository.ts';
import { proofRepository } from '../../../actors/workspace/proof-repository.ts';
import { inOwnFolder, makeOwnFolder, OWN_FOLDER } from '../../../log/own-folder.ts';
import type { NamingCheck } from '../../../evidence/named-in-checks.ts';
import { givenDependencies, isFree } from './given-dependencies.ts';
import { plannedLegs, type PlannedLegs } from './planned-legs.ts';
import { copiedLegs, type PlaceLeg, type ProbeWalls, type ProofGround, walledLegs } from './proof-places.ts';
import { probeOf, type Strictness, WallsMissingError } from './strictness.ts';

/** What is proven, and what with. */
export interface LegsSubject {
  /** The repository that has the trees, and the workspace, at whose path the checks run. */
  readonly origin: OriginRepository;
  /** Hashes of the trees of the start, with grounds as they were before earlier runs, and of the work. */
  readonly base: string;
  readonly work: string;
  /** Hash of the tree of the workspace when the run began. Absent: the base. */
  readonly start?: string | undefined;
  /** Grounds of which the base has what was there before earlier runs. */
  readonly inherited?: readonly string[];
  /** The commit that was checked out when the run began. */
  readonly head: string | null;
  readonly checks: readonly NamingCheck[];
  readonly protect: readonly string[];
  readonly unprotect: readonly string[];
  /** Names or paths of folders of installed dependencies. */
  readonly deps: readonly string[];
  /** Files that git ignores and that the checkouts get, and the workspace that has them. */
  readonly provided: { readonly root: string; readonly files: readonly ProvidedFile[] };
  /** Commands that run in each checkout before its checks. */
  readonly prepare: readonly string[];
  /** Paths in the home that checks may read, beside those of tools. */
  readonly homePaths: readonly string[];
  /** The folder of held-out files: checks behind walls do not find it. */
  readonly hidden?: string | undefined;
  /** What the run was started to be strict about, or not. */
  readonly asked?: Strictness | undefined;
  /** When the run began. Null: dependencies are a copy, of which it is not known what changed since. */
  readonly since: Date | null;
}

/** The trees of both legs, and where their checks run. */
export interface PreparedLegs {
  readonly plan: PlannedLegs;
  /** Folders of installed dependencies, from the top of the workspace. */
  readonly dependencies: readonly string[];
  /** The same plan with changes of grounds that count. Null: the run was started to let none count. */
  readonly planAllowed: () => Promise<PlannedLegs | null>;
  readonly place: PlaceLeg;
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
    const { place, obstacle } = await walledLegs(ground, how.signal, probeOf(subject.asked, how.probe));
    const isUntouched = async () => (await isAsBrought(mirror)) !== false;
    return obstacle === null ? { value: await work({ ...prepared, place, obstacle, isUntouched }) } : { obstacle };
  });
  if ('value' in walled) return walled.value;
  const { obstacle } = walled;
  if (subject.asked?.walls === 'required') throw new WallsMissingError(obstacle);
  // Below the workspace a copy would find the files above it.
  const folder = await makeProofFolder(tmpdir());
  try {
    const { ground, ...prepared } = await preparedIn(newMirror(folder), subject);
    return await work({ ...prepared, place: copiedLegs(ground), obstacle, isUntouched: async () => true });
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
    await (run === undefined ? removeProofFolder(mirror.folder) : keepMirror(key, run, mirror));
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
  };
  return { plan, planAllowed, dependencies, prepare, providedChanged, call, ground };
}

/** Changed grounds that an earlier run changed: of this run, or of both. */
export function inheritedIn(
  { changes }: PlannedLegs,
  { inherited = [] }: Pick<LegsSubject, 'inherited'>,
): Pick<RecordedProof, 'inherited'> {
  const known = new Set(inherited);
  const found = changes.map(({ path }) => path).filter((path) => known.has(path));
  return found.length === 0 ? {} : { inherited: found.slice(0, MAX_NAMED) };
}
