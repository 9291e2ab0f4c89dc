import { logNamesAround } from '../../git/capture/log-names.ts';
import { gitWorktree } from '../../git/git-worktree.ts';
import { type TreeChange, treeChanges, treePatch } from '../../git/tree-change.ts';
import type { LeftOut } from '../../../machines/events.ts';
import { leftOutOf } from '../../git/capture/omissions.ts';
import { uncapturedOf } from '../../git/capture/files-not-captured.ts';
import { IntactTree } from '../../runtime/intact.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import type { DecidingFile } from '../../config/settings-places.ts';
import { capturesFolder, hasCaptures, lostFolder, outsideGit } from './change-folders.ts';
import { decidingIn } from './change-of-settings.ts';
import type { AppHost } from '../app-host.ts';
import { goneSide } from './side-without-capture.ts';
import { roundSides } from './round-sides.ts';
import { type KnownRun, type NoCapture, none, type RunSide, type Side, sideOf } from './run-sides.ts';

/** One file of a change. */
export interface ChangedPath {
  /** A name that is not UTF-8 stands in quotes, each odd byte as `\ooo`. */
  readonly path: string;
  /** `mode`: only whether it may be executed. `type`: a file became a symbolic link, or the other way. */
  readonly status: 'added' | 'removed' | 'changed' | 'mode' | 'type';
  readonly binary: boolean;
  /** Lines. Null in a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

/** The difference of the workspace between two states. */
export interface RunChange {
  readonly kind: 'change';
  readonly run: string;
  readonly from: Side;
  readonly to: Side;
  readonly files: readonly ChangedPath[];
  /** Files that the run wrote into repositories within the workspace: they are in no change. At most 1,000. */
  readonly uncaptured: readonly string[];
  /** Paths that the capture of the run's end leaves out, and why: what git ignored when it began decides. */
  readonly leftOut: readonly LeftOut[];
  /** What of the change later runs go by: their configuration, and the pages of their agents. */
  readonly deciding: readonly DecidingFile[];
  /**
   * As `git apply` takes it, byte for byte, in pieces while git prints it, of any size. Throws a `GitError` where git
   * fails: what came before that is not the whole. `forPeople`: of a binary file only that it differs.
   *
   * @example
   * await writeFile('change.patch', change.patch());
   */
  readonly patch: (forPeople?: boolean) => AsyncIterable<Uint8Array>;
}

/** No change is known of a run: why. */
export type NoChange =
  | { readonly kind: 'unknown_run'; readonly run: string }
  /** The changes of a child belong to its root. */
  | { readonly kind: 'is_child'; readonly run: string; readonly root: string }
  | NoCapture;

export interface DiffOptions {
  /** The state that the run's change leads to; with `to`, the one that it leads from. Default: how the run left. */
  readonly at?: RunSide['at'];
  /** Another state, of this run or of another in the same repository. */
  readonly to?: RunSide;
  /** The change of one round of the run alone, from 1. Without `at` and `to`. */
  readonly round?: number;
}

type Host = Pick<AppHost, 'log' | 'definitions'>;

/** The change of a run from its start, or between two states. `intact`: its tree, which may be verified already. */
export async function runChange(
  host: Host,
  run: string,
  options: DiffOptions = {},
  intact?: IntactTree,
): Promise<RunChange | NoChange> {
  const known = await knownRun(host, run, intact);
  if ('kind' in known) return known;
  const sides = await sidesOf(host, known, options);
  if ('kind' in sides) return sides;
  const { from, to } = sides;
  const gone = await goneSide([from, to], known);
  if (gone) return gone;
  const files = (await treeChanges(from.tree, to.tree, known.call, known.leaveOut)).map(changedPath);
  const patch = (forPeople?: boolean) =>
    treePatch({ from: from.tree, to: to.tree, leaveOut: known.leaveOut, realNames: true }, known.call, forPeople);
  const last = options.to?.run ?? run;
  const [uncaptured, leftOut] = await Promise.all([uncapturedOf(last, known.call), leftOutOf(last, known.call)]);
  return { kind: 'change', run, from, to, files, uncaptured, leftOut, deciding: decidingIn(files, leftOut), patch };
}

/** What is known of a run of its own, not of a child. Throws where its history, or one below it, was changed. */
export async function knownRun(
  { log }: Host,
  run: string,
  intact = new IntactTree(log, run),
): Promise<KnownRun | NoChange> {
  await intact.assert();
  const record = await log.run(run);
  const settings = record && (await readSettings(log, run));
  if (!record || !settings) return { kind: 'unknown_run', run };
  if (record.root !== run) return { kind: 'is_child', run, root: record.root };
  const directory = await capturesFolder(log, run, settings);
  if (directory === null) return none({ run }, lostFolder(settings));
  // The captures of a linked worktree that was removed are in a folder of git itself.
  const isInGit = (await hasCaptures(directory, run)) || (await gitWorktree(directory)) !== null;
  if (!isInGit) return none({ run }, outsideGit(directory));
  const isLive = (await log.holder(run)) !== null;
  const { version, closed } = record;
  const leaveOut = await logNamesAround(directory, log.store);
  return { run, settings, version, isLive, isClosed: closed !== null, call: { directory }, leaveOut };
}

async function sidesOf(host: Host, known: KnownRun, { at, to, round }: DiffOptions) {
  if (round !== undefined) return roundSides(host, known, round);
  const other = to && (await knownRun(host, to.run));
  if (other && 'kind' in other) return other;
  const from = await sideOf(host, known, to ? at : 'start');
  if ('kind' in from) return from;
  const end = other ? await sideOf(host, other, to?.at) : await sideOf(host, known, at);
  return 'kind' in end ? end : { from, to: end };
}

function changedPath({ path, before, after, added, removed }: TreeChange): ChangedPath {
  return { path, status: statusOf(before, after), binary: added === null, added, removed };
}

function statusOf(before: TreeChange['before'], after: TreeChange['after']): ChangedPath['status'] {
  if (!before) return 'added';
  if (!after) return 'removed';
  if (before.mode.slice(0, 2) !== after.mode.slice(0, 2)) return 'type';
  return before.hash === after.hash ? 'mode' : 'changed';
}
