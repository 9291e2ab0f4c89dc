import { join } from 'node:path';
import { v5 as uuid } from 'uuid';
import type { EventOf } from '../../../../machines/events.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import { EnvironmentError } from '../../../actors/environment-error.ts';
import { callOf, givenFolder } from '../../../actors/capture-repository.ts';
import { DEPENDENCY_FOLDERS } from '../../../options/defaults.ts';
import { runRefs } from '../../../git/run-refs.ts';
import { makeWorktree } from '../../../git/worktree/make-worktree.ts';
import { originRepository } from '../../../git/worktree/origin-repository.ts';
import { removeWorktree } from '../../../git/worktree/remove-worktree.ts';
import { placeAt, type WorktreePlace, worktreesIn } from '../../../git/worktree/worktree-place.ts';
import { readableRecord, worktreePlaces } from '../../../git/worktree/worktree-record.ts';
import { addressOf } from '../../../log/log-files.ts';

/** Names the worktrees of attempts: any constant that is only used for them. */
const ATTEMPTS = '0b7f4a52-9d1e-4c36-8f0a-5d2c9e7ab143';

/** The place of an attempt's worktree: always the same, so that what a killed process has made of it is found. */
const contestantPlace = (run: string, lane: string, mainRoot: string): WorktreePlace =>
  placeAt(join(worktreesIn(mainRoot), uuid(JSON.stringify([run, lane]), ATTEMPTS)));

/** The tree that a run begins with. Null: none was captured. */
export async function startOf(run: string, settings: RunSettings): Promise<string | null> {
  const { proof, isolation } = settings;
  const known = proof?.start ?? proof?.base ?? isolation?.base;
  return known ?? (await runRefs(run, callOf(settings))).get('0') ?? null;
}

/**
 * Makes the worktree of an attempt, with the files and the dependencies that the run began with, in place of what a
 * killed process has left there. Throws an `EnvironmentError`, a `GitError`, and the error of the disk.
 */
export async function madeContestant(
  { run, lane, store }: { readonly run: string; readonly lane: string; readonly store: string | null },
  settings: RunSettings,
): Promise<Omit<EventOf<'attempt.prepared'>['payload'], 'lane'>> {
  const base = await startOf(run, settings);
  const folder = givenFolder(settings);
  const origin = await originRepository(folder);
  if (base === null || origin === null)
    throw new EnvironmentError('no_git', `an attempt of its own needs git, and ${folder} is in no git work tree`);
  const place = contestantPlace(run, lane, origin.mainRoot);
  await removeWorktree(place);
  const { isolation, proof } = settings;
  const dependencies = isolation?.dependencies.map(({ path }) => path) ?? proof?.dependencies ?? DEPENDENCY_FOLDERS;
  const made = await makeWorktree({
    run,
    directory: folder,
    origin,
    store: addressOf({ store: store ?? 'memory:' }),
    // The settings of the repository may be a run's by now: its git is not asked what it would store.
    trees: async () => ({ files: base, committed: base }),
    likely: null,
    dependencies: [...dependencies],
    place,
    experiment: lane,
  });
  return { base, directory: made.directory, isolation: made.isolation };
}

/** Removes the worktrees of the attempts of a run. Throws the error of the disk. */
export async function removeContestants(run: string, directory: string): Promise<void> {
  const origin = await originRepository(directory);
  if (origin === null) return;
  for (const place of await worktreePlaces(worktreesIn(origin.mainRoot))) {
    const record = await readableRecord(place);
    if (record?.run === run && record.experiment !== undefined) await removeWorktree(place);
  }
}
