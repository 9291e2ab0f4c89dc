import type { RunSettings } from '../../../machines/settings.ts';
import { changedRepository } from '../../evidence/repository-change.ts';
import type { GitCall } from '../../git/process/git.ts';
import { worktreeFacts } from '../../git/git-worktree.ts';
import { type Approved, ApprovedGrounds, approvedKey } from '../../config/grounds-approval.ts';
import { userFolder } from '../../config/places.ts';
import { type LeftSettings, leftSettings } from '../../evidence/settings-of-runs.ts';
import { callOf } from '../../actors/capture-repository.ts';
import { keepSettings, keptSettings, settingsText, stateOf } from '../isolation/repository-since.ts';
import type { AppHost } from '../app-host.ts';
import { newestRuns } from './earlier-runs.ts';
import { unloggedRuns } from './runs-without-log.ts';

/** So many of the newest runs are looked at. */
const MAX_LOOKED_AT = 50;

type Host = Pick<AppHost, 'log' | 'variables'>;

interface Asking {
  readonly run: string;
  readonly settings: Pick<RunSettings, 'isolation' | 'directory'>;
}

/** Hooks and settings of git that a run changed, as it left them, and as a person's approval has them. */
export async function approvableSettings(run: string, call: GitCall): Promise<readonly Approved[]> {
  const kept = (await keptSettings([run], call)).get(run);
  if (!kept?.after) return [];
  const { before, after } = kept;
  return changedRepository(before, after, null).decisive.map((name) => approvable(name, after[name] ?? null));
}

const approvable = (name: string, hash: string | null): Approved => ({ path: `.git/${name}`, entry: hash ?? 'none' });

/** Keeps what git goes by for the end of a run, and finds what earlier ones changed of it. Where git fails, nothing. */
export async function settingsAround(host: Host, asking: Asking): Promise<readonly LeftSettings[]> {
  await keepSettings(asking.run, asking.settings).catch(() => {});
  return settingsLeft(host, asking).catch(() => []);
}

/** Finds what earlier runs changed of hooks and settings of git, and that is still so. Throws a `GitError`. */
async function settingsLeft({ log, variables }: Host, { run, settings }: Asking): Promise<readonly LeftSettings[]> {
  const call = callOf(settings);
  const runs = [...(await newestRuns(log)), ...(await unloggedRuns(log, call))]
    .toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
    .map((one) => one.run)
    .filter((one) => one !== run)
    .slice(0, MAX_LOOKED_AT);
  const kept = await keptSettings(runs, call);
  const now = kept.size === 0 ? null : await stateOf(settings);
  if (now === null) return [];
  const facts = await worktreeFacts(['--git-common-dir'], {
    directory: settings.isolation?.origin ?? settings.directory,
  });
  const approved = await new ApprovedGrounds(userFolder(variables)).of(facts?.[1] ?? '');
  return leftSettings(
    runs.flatMap((one) => {
      const found = kept.get(one);
      return found ? [{ run: one, ...found }] : [];
    }),
    now,
    (name, hash) => {
      const { path, entry } = approvable(name, hash);
      return approved.has(approvedKey(path, entry));
    },
  );
}

/** Says so to a person before the next run works. */
export const leftSettingsText = (left: readonly LeftSettings[]): readonly string[] =>
  left.map(
    ({ run, names }) =>
      `An earlier run ${run} changed ${settingsText(names)} of git, which still goes by that when you commit. If it was ` +
      `not you, undo it; or let it count: loopfold approve ${run} grounds`,
  );
