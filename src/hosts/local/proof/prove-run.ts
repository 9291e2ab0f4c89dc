import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeProofFolder, removeProofFolder } from '../../../actors/proof/proof-folder.ts';
import { proofRepository } from '../../../actors/workspace/proof-repository.ts';
import { runRefs } from '../../../actors/workspace/run-refs.ts';
import { makeOwnFolder, OWN_FOLDER } from '../../../log/own-folder.ts';
import type { LocalHost } from '../local-host.ts';
import type { NoChange } from '../run-change.ts';
import { givenDependencies } from './given-dependencies.ts';
import { plannedLegs } from './planned-legs.ts';
import { type ProbeWalls, walledLegs, copiedLegs, type ProofGround } from './proof-places.ts';
import { type ProofSubject, subjectOf } from './proof-subject.ts';
import { type LegName, type Proof, ranLegs } from './ran-legs.ts';

export interface ProveOptions {
  readonly protect: readonly string[];
  readonly unprotect: readonly string[];
  /** Names or paths of folders of installed dependencies. */
  readonly deps: readonly string[];
  /** Takes installed dependencies as they are, whenever they changed. */
  readonly trustsDependencies: boolean;
  readonly signal: AbortSignal;
  /** Called before each leg. */
  readonly onLeg: (leg: LegName) => void;
  readonly probe?: ProbeWalls;
}

type Host = Pick<LocalHost, 'log' | 'definitions'>;

/**
 * Runs the checks of a run that has ended on what was recorded of it: with the grounds of its start, and as it is.
 * Nothing runs in its workspace, and nothing there is changed. Throws a `GitError`.
 */
export async function proveRun(host: Host, run: string, options: ProveOptions): Promise<Proof | NoChange> {
  const subject = await subjectOf(host, run);
  if ('kind' in subject) return subject;
  const own = join(subject.origin.mainRoot, OWN_FOLDER);
  makeOwnFolder(own);
  const walled = await inFolder(join(own, 'proof'), (folder) => proofIn(folder, host, subject, options, null));
  if (!('obstacle' in walled)) return walled;
  // Below the workspace a copy would find the files above it.
  return inFolder(tmpdir(), async (folder) => {
    const copied = await proofIn(folder, host, subject, options, walled.obstacle);
    if ('obstacle' in copied) throw new TypeError('a copy has no walls to fail');
    return copied;
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

/** A proof in its own folder: behind walls, or where there can be none (`obstacle`) in a copy. */
async function proofIn(
  folder: string,
  host: Host,
  { known, start, end, origin }: ProofSubject,
  options: ProveOptions,
  obstacle: string | null,
): Promise<Proof | { readonly obstacle: string }> {
  const { run, settings } = known;
  const { protect, unprotect, deps: names, trustsDependencies, signal } = options;
  const { checks, environment = [] } = settings;
  const call = await proofRepository(folder, origin);
  const rules = { checks, folder: origin.prefix.replace(/\/$/, ''), protect, unprotect };
  const plan = await plannedLegs({ base: start.tree, work: end.tree }, rules, call);
  const since = new Date((await host.log.run(run))?.createdAt ?? 0);
  const isIsolated = settings.isolation !== undefined;
  const { root } = origin;
  const dependencies = await givenDependencies({ root, names, since, isIsolated, trees: plan.trees });
  const head = (await runRefs(run, known.call)).get('head') ?? null;
  const ground: ProofGround = { folder, origin, head, dependencies: dependencies.given, call };
  const walled = obstacle === null ? await walledLegs(ground, signal, options.probe) : null;
  if (walled?.obstacle) return { obstacle: walled.obstacle };
  return ranLegs(
    { run, start, end, plan, dependencies, trustsDependencies, obstacle },
    { place: walled?.place ?? copiedLegs(ground), checks, environment, signal, onLeg: options.onLeg },
  );
}
