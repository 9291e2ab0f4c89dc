import type { Isolation } from '../../../../machines/settings.ts';
import { changedEntries } from '../../../git/tree-change.ts';
import { nameText } from '../../../git/process/git-names.ts';
import { keepOrigin, keptOrigin, originFiles } from '../../../git/worktree/origin-copy.ts';
import { refsState, settingsState } from '../../../git/worktree/repository-state.ts';
import { mainRootOf, placeAt } from '../../../git/worktree/worktree-place.ts';
import { changedRepository } from '../../../evidence/repository-change.ts';
import { type ChangedOrigin, namesFolder, type OriginRemark, originRemarks } from '../evaluation/origin-change.ts';

/** An experiment, and the run that it is one of. */
export interface ExperimentOf {
  readonly run: string;
  readonly candidate: string;
  /** Of the worktree that it works in. */
  readonly isolation: Pick<Isolation, 'origin' | 'top' | 'repository'>;
  readonly store: string | null;
  /** The newest commit of the loop, which may have come after the experiment. Absent, or null: there is none. */
  readonly commit?: string | null;
}

/** Keeps how the folder of the person is before an experiment begins. Throws a `GitError`. */
export async function keepOriginFor({ run, isolation, store }: ExperimentOf, signal: AbortSignal): Promise<void> {
  const { origin: directory, repository, top } = isolation;
  const [files, settings, refs] = await Promise.all([
    originFiles({ run, directory, store }, signal),
    settingsState(repository),
    refsState(directory),
  ]);
  await keepOrigin(placeAt(top), { files, settings: settings ?? {}, refs });
}

/**
 * What has changed there since, as it is to be told. Nothing where it was not kept. `texts`: what the experiment has
 * said and been told. Throws a `GitError`.
 */
export async function originRemarksOn(
  experiment: ExperimentOf,
  texts: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<readonly OriginRemark[]> {
  const { run, candidate, isolation, store, commit = null } = experiment;
  const { origin, repository: common } = isolation;
  const before = await keptOrigin(placeAt(isolation.top));
  if (before === null) return [];
  const [now, settings, refs] = await Promise.all([
    before.files === null ? null : originFiles({ run, directory: origin, store }, signal),
    settingsState(common),
    before.refs === null ? null : refsState(origin),
  ]);
  const branch = `refs/heads/loopfold/${run}`;
  // Where the loop itself has moved its branch to, it has not changed.
  const moved = commit !== null && refs?.[branch] === commit ? { [branch]: commit } : {};
  const changed = changedRepository({ ...before.settings, ...before.refs, ...moved }, { ...settings, ...refs }, branch);
  const files = await changedFiles(before.files, now, origin);
  const isAsked = changed.ordinary.length > 0;
  const isNamed = isAsked && (await isAnyNamed(texts, [origin, common, mainRootOf(isolation)]));
  return originRemarks({ ...changed, origin, candidate, files, isNamed } satisfies ChangedOrigin);
}

async function changedFiles(before: string | null, now: string | null, directory: string) {
  if (before === null || now === null) return null;
  return before === now ? [] : [...(await changedEntries(before, now, { directory })).keys()].map(nameText);
}

async function isAnyNamed(texts: AsyncIterable<string>, folders: readonly string[]): Promise<boolean> {
  for await (const text of texts) if (namesFolder(text, folders)) return true;
  return false;
}
