import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveFiles, type ProvidedFile } from '../../../actors/proof/provided-files.ts';
import { makeProofFolder, removeProofFolder } from '../../../actors/proof/proof-folder.ts';
import type { GitCall } from '../../../actors/workspace/git.ts';
import type { OriginRepository } from '../../../actors/workspace/origin-repository.ts';
import { proofRepository } from '../../../actors/workspace/proof-repository.ts';
import { makeOwnFolder, OWN_FOLDER } from '../../../log/own-folder.ts';
import type { NamingCheck } from '../../../evidence/named-in-checks.ts';
import { givenDependencies, isFree, type ProofDependencies } from './given-dependencies.ts';
import { plannedLegs, type PlannedLegs } from './planned-legs.ts';
import { copiedLegs, type PlaceLeg, type ProbeWalls, type ProofGround, walledLegs } from './proof-places.ts';

/** What is proven, and what with. */
export interface LegsSubject {
  /** The repository that has the trees, and the workspace, at whose path the checks run. */
  readonly origin: OriginRepository;
  /** Hashes of the trees that the run began with, and that it leaves. */
  readonly base: string;
  readonly work: string;
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
  /** When the run began. Null: dependencies are a copy, of which it is not known what changed since. */
  readonly since: Date | null;
}

/** The trees of both legs, and where their checks run. */
export interface PreparedLegs {
  readonly plan: PlannedLegs;
  readonly dependencies: ProofDependencies;
  readonly place: PlaceLeg;
  readonly prepare: readonly string[];
  /** Provided files that are not what they were when the run began. */
  readonly providedChanged: readonly string[];
  /** The repository that has both trees. */
  readonly call: GitCall;
  /** Why there are no walls. Null: there are. */
  readonly obstacle: string | null;
}

interface Preparing {
  readonly signal: AbortSignal;
  readonly probe?: ProbeWalls | undefined;
}

/**
 * Prepares the legs of a proof in a folder of their own, which is removed afterwards: behind walls, or where there can
 * be none in a copy. Throws a `GitError`.
 */
export async function inProof<Value>(
  subject: LegsSubject,
  how: Preparing,
  work: (legs: PreparedLegs) => Promise<Value>,
): Promise<Value> {
  const own = join(subject.origin.mainRoot, OWN_FOLDER);
  makeOwnFolder(own);
  const walled = await inFolder(join(own, 'proof'), async (folder) => {
    const { ground, ...prepared } = await preparedIn(folder, subject);
    const { place, obstacle } = await walledLegs(ground, how.signal, how.probe);
    return obstacle === null ? { value: await work({ ...prepared, place, obstacle }) } : { obstacle };
  });
  if ('value' in walled) return walled.value;
  const { obstacle } = walled;
  // Below the workspace a copy would find the files above it.
  return inFolder(tmpdir(), async (folder) => {
    const { ground, ...prepared } = await preparedIn(folder, subject);
    return work({ ...prepared, place: copiedLegs(ground), obstacle });
  });
}

async function inFolder<Value>(parent: string, work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = await makeProofFolder(parent);
  try {
    return await work(folder);
  } finally {
    await removeProofFolder(folder);
  }
}

async function preparedIn(folder: string, subject: LegsSubject) {
  const { origin, base, work, head, checks, protect, unprotect, deps: names, since, provided, prepare } = subject;
  const call = await proofRepository(folder, origin);
  const rules = { checks, folder: origin.prefix.replace(/\/$/, ''), protect, unprotect };
  const plan = await plannedLegs({ base, work }, rules, call);
  const dependencies = await givenDependencies({ root: origin.root, names, since, trees: plan.trees });
  const files = join(folder, 'provided');
  // What git keeps is in the trees.
  const wanted = provided.files.filter(({ path }) => isFree(path, plan.trees));
  const providedChanged = await giveFiles(provided.root, wanted, files);
  const paths = wanted.map(({ path }) => path).filter((path) => !providedChanged.includes(path));
  const given = { folder: files, paths };
  const ground: ProofGround = {
    folder,
    origin,
    head,
    call,
    homePaths: subject.homePaths,
    workspace: provided.root,
    provided: given,
    dependencies: dependencies.given,
  };
  return { plan, dependencies, prepare, providedChanged, call, ground };
}
