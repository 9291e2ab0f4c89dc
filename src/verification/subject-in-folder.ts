import { relative } from 'node:path';
import { originRepository, type OriginRepository } from '../git/worktree/origin-repository.ts';
import { checksOfWork } from '../config/clean-tree.ts';
import type { ProofSettings, RunSettings } from '../../machines/settings.ts';
import { EnvironmentFault } from '../log/environment-fault.ts';
import type { LegsSubject } from './legs-subject.ts';

/**
 * What is proven of the work of a run that works. Throws an `EnvironmentFault` where its folder is in no git work tree
 * any more.
 */
export async function workingSubject(settings: RunSettings, proof: ProofSettings, work: string): Promise<LegsSubject> {
  const { base, at, head, protect, unprotect, dependencies: deps, prepare = [], homePaths = [] } = proof;
  const { checks, isolation } = settings;
  const origin = await originOf(settings);
  const root = isolation ? (await originRepository(isolation.origin))?.root : origin?.root;
  if (!origin || root === undefined) throw lostRepository(settings.directory);
  const provided = { root, files: proof.provided ?? [] };
  return {
    origin,
    base,
    work,
    start: proof.start,
    inherited: proof.inherited?.map(({ path }) => path) ?? [],
    head,
    checks: checksOfWork(checks),
    protect,
    unprotect,
    deps,
    provided,
    prepare,
    homePaths,
    hidden: proof.heldOut?.from,
    asked: proof,
    since: new Date(at),
  };
}

/** A command of the agent may have removed it. */
function lostRepository(directory: string): EnvironmentFault {
  const message = `${directory} is in no git work tree any more: its .git was removed or cannot be read`;
  return new EnvironmentFault(`${message}. Put it back, then resume the run.`, null, { hasStarted: false });
}

/** A worktree of a run has its captures in the repository that it was made from. */
async function originOf({ isolation, directory }: RunSettings): Promise<OriginRepository | null> {
  const origin = await originRepository(isolation?.origin ?? directory);
  if (!origin || !isolation) return origin;
  const prefix = relative(isolation.top, directory);
  return { ...origin, root: isolation.top, prefix: prefix === '' ? '' : `${prefix}/` };
}
