import { checksOfWork } from '../../config/clean-tree.ts';
import { runRefs } from '../../git/run-refs.ts';
import type { AppHost } from '../app-host.ts';
import type { NoChange } from '../changes/run-change.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Side } from '../changes/run-sides.ts';
import type { LegsSubject } from '../../verification/legs-subject.ts';
import { inProof } from '../../verification/prepare-legs.ts';
import type { LegName, ProbeWalls } from '../../verification/proof-places.ts';
import { subjectOf } from './proof-subject.ts';
import { recordedDemands } from './demands-of-record.ts';
import { steppedProof } from '../../verification/proof-steps.ts';
import { changedIn } from '../../verification/surroundings.ts';
import type { Proof } from './run-proof.ts';
import { ranLegs } from './run-legs.ts';

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

/** With grounds that earlier runs changed, the checks of a run went by another tree than the workspace. */
const startOf = (start: Side, proof: RunSettings['proof']): Side =>
  proof?.start === start.tree && proof.start !== undefined
    ? { ...start, tree: proof.base, note: 'its start has grounds as they were before earlier runs' }
    : start;

type Host = Pick<AppHost, 'log' | 'definitions'>;

/**
 * Runs the checks of a run that has ended on what was recorded of it: with the grounds of its start, and as it is.
 * Nothing runs in its workspace, and nothing there is changed. Throws a `GitError`.
 */
export async function proveRun(host: Host, run: string, options: ProveOptions): Promise<Proof | NoChange> {
  const subject = await subjectOf(host, run);
  if ('kind' in subject) return subject;
  const { known, end, origin } = subject;
  const { environment = [], isolation, proof } = known.settings;
  const start = startOf(subject.start, proof);
  const whole = checksOfWork(known.settings.checks);
  const { signal, onLeg, probe, trustsDependencies, ...rules } = options;
  const demands = await recordedDemands(host, run, start.tree);
  const asked: LegsSubject = {
    ...rules,
    origin,
    base: start.tree,
    work: end.tree,
    head: (await runRefs(run, known.call)).get('head') ?? null,
    checks: whole,
    provided: { root: origin.root, files: proof?.provided ?? [] },
    prepare: proof?.prepare ?? [],
    homePaths: proof?.homePaths ?? [],
    hidden: proof?.heldOut?.from,
    asked: proof,
    since: isolation ? null : new Date((await host.log.run(run))?.createdAt ?? 0),
  };
  const { subject: legs, ...by } = steppedProof(asked, whole, demands.baseline);
  return inProof(legs, { signal, probe }, async ({ dependencies: given, ...prepared }) => {
    const dependencies = { given, changed: await changedIn(legs, given) };
    return ranLegs(
      { subject: legs, start, end, dependencies, trustsDependencies, demands },
      { ...prepared, dependencies: given, run, heldOut: proof?.heldOut, ...by, environment, signal, onLeg },
    );
  });
}
