import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeProofFolder, removeProofFolder } from '../../../actors/proof/proof-folder.ts';
import { type OriginRepository, originRepository } from '../../../actors/workspace/origin-repository.ts';
import { proofRepository } from '../../../actors/workspace/proof-repository.ts';
import { runRefs } from '../../../actors/workspace/run-refs.ts';
import { makeOwnFolder, OWN_FOLDER } from '../../../log/own-folder.ts';
import { workspaceFolder } from '../change-folders.ts';
import type { LocalHost } from '../local-host.ts';
import { knownRun, type NoChange } from '../run-change.ts';
import { type KnownRun, none, sideOf } from '../run-sides.ts';
import { givenDependencies } from './given-dependencies.ts';
import { plannedLegs } from './planned-legs.ts';
import { type ProbeWalls, walledLegs, copiedLegs, type ProofGround } from './proof-places.ts';
import { type LegName, type Proof, ranLegs } from './ran-legs.ts';
import { asRecorded, type ProvenSides } from './recorded-trees.ts';

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

/** What is proven, and what with. */
interface Subject extends ProvenSides {
  readonly known: KnownRun;
  readonly origin: OriginRepository;
}

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

async function subjectOf(host: Host, run: string): Promise<Subject | NoChange> {
  const known = await knownRun(host, run);
  if ('kind' in known) return known;
  if (known.isLive) return none(known, 'it is running. Prove it when it has ended');
  if (known.settings.checks.length === 0)
    return none(known, 'it was started without checks, so there is nothing to run');
  const [start, end] = [await sideOf(host, known, 'start'), await sideOf(host, known, 'end')];
  if ('kind' in start) return start;
  if ('kind' in end) return end;
  const sides = await asRecorded(host, known, { start, end });
  if ('kind' in sides) return sides;
  const folder = await workspaceFolder(host.log, run, known.settings);
  const origin = folder === null ? null : await originRepository(folder);
  return origin ? { known, ...sides, origin } : none(known, 'its workspace is not there any more');
}

/** A proof in its own folder: behind walls, or where there can be none (`obstacle`) in a copy. */
async function proofIn(
  folder: string,
  host: Host,
  { known, start, end, origin }: Subject,
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
