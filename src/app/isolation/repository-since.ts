import { z } from 'zod';
import type { RunSettings } from '../../../machines/settings.ts';
import type { GitCall } from '../../git/process/git.ts';
import { worktreeFacts } from '../../git/git-worktree.ts';
import { type RepositoryState, settingsState } from '../../git/worktree/repository-state.ts';
import { keepJson, keptJson, keptJsons } from '../../git/run-refs.ts';
import { changedRepository } from '../../evidence/repository-change.ts';
import { callOf } from '../../actors/capture-repository.ts';

const MAX_NAMED = 10;

const State = z.record(z.string(), z.string());
/** What git went by when a run began, and when it ended. Null: it has not. */
const KeptSettings = z.strictObject({ before: State, after: State.nullable() });
export type KeptSettings = z.infer<typeof KeptSettings>;

type Of = Pick<RunSettings, 'isolation' | 'directory'>;

/** What this process has seen counts, as long as a run works in it: any command can move a reference of git. */
const seen = new Map<string, RepositoryState>();

/** Keeps what git goes by when a run begins, in the repository of the person. Throws a `GitError`. */
export async function keepSettings(run: string, settings: Of): Promise<void> {
  const before = await stateOf(settings);
  if (before === null) return;
  seen.set(run, before);
  await keepJson(run, 'settings', { before, after: null } satisfies KeptSettings, callOf(settings));
}

/**
 * What git goes by that has changed since a run began, in the repository of the person, for people: keeps it for the
 * runs that follow. Files, branches and tags are not compared. Null: nothing has changed. Throws a `GitError`.
 */
export async function repositorySince(run: string, settings: Of): Promise<string | null> {
  const call = callOf(settings);
  const before = seen.get(run) ?? KeptSettings.safeParse(await keptJson(run, 'settings', call)).data?.before;
  seen.delete(run);
  const after = before ? await stateOf(settings) : null;
  if (!before || after === null) return null;
  // Also where nothing has changed: what changes later is not the run's.
  await keepJson(run, 'settings', { before, after } satisfies KeptSettings, call);
  const { decisive } = changedRepository(before, after, null);
  if (decisive.length === 0) return null;
  return (
    `${settingsText(decisive)} changed in the repository of ${settings.isolation?.origin ?? settings.directory} while ` +
    `run ${run} was under way. Git goes by them: if it was not you, undo that before you use git there`
  );
}

/** The first names, and how many more there are. */
export function settingsText(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** Reads what git went by at the start and the end of these runs, by run. */
export async function keptSettings(runs: readonly string[], call: GitCall): Promise<ReadonlyMap<string, KeptSettings>> {
  const kept = await keptJsons(runs, 'settings', call);
  return new Map(
    [...kept].flatMap(([run, value]) => {
      const found = KeptSettings.safeParse(value);
      return found.success ? [[run, found.data] as const] : [];
    }),
  );
}

/** Reads what git goes by now, in the repository of the person. Null outside git. */
export async function stateOf({ isolation, directory }: Of): Promise<RepositoryState | null> {
  const common = isolation?.repository ?? (await worktreeFacts(['--git-common-dir'], { directory }))?.[1];
  return common === undefined ? null : settingsState(common);
}
