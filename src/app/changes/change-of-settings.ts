import type { GitCall } from '../../git/process/git.ts';
import { listNames, nameText } from '../../git/process/git-names.ts';
import type { LeftOut } from '../../../machines/events.ts';
import { keepLeftOut, leftOutOf } from '../../git/capture/omissions.ts';
import { runRef } from '../../git/run-refs.ts';
import { treeEntries } from '../../git/tree-change.ts';
import { type DecidingFile, decidingAmong, decidingSince } from '../../config/settings-places.ts';

// Whether a run has changed what later runs go by: their configuration, and the pages of their agents. The difference
// of its captures says so, except of files that git ignores, as it does all of `.loopfold` beside a log.

/** Why such a file is left out of a capture. */
const WRITTEN = 'git ignores it; it was written since the run began';

/** What of a change later runs go by. `leftOut`: what the capture of the run's end lacks. */
export const decidingIn = (
  files: readonly { readonly path: string }[],
  leftOut: readonly LeftOut[],
): readonly DecidingFile[] =>
  decidingAmong([...files, ...leftOut.filter(({ because }) => because === WRITTEN)].map(({ path }) => path));

interface AtEnd {
  readonly run: string;
  /** The folder that the run worked in. Null: a worktree of its own, whose ignored files go with it. */
  readonly folder: string | null;
  /** When it began, in ms since 1970 as files have it. */
  readonly since: number;
  /** The capture of its end. */
  readonly tree: string;
}

export interface NamedAtEnd {
  /** What the run has changed of what later runs go by. */
  readonly deciding: readonly DecidingFile[];
  /** Paths that its rules of what to ignore leave out. */
  readonly leftOut: readonly LeftOut[];
}

/** What a run has changed of what later runs go by, and all that the capture of its end leaves out. */
export async function decidingAtEnd(end: AtEnd, call: GitCall): Promise<NamedAtEnd> {
  const known = await leftOutOf(end.run, call).catch(() => []);
  const leftOut = await withIgnored(end, known, call).catch(() => known);
  // Without a capture of its start nothing is known of its change.
  const files = await differing(runRef(end.run, 0), end.tree, call).catch(() => []);
  return { deciding: decidingIn(files, leftOut), leftOut };
}

/** Adds the ignored files that later runs go by, and keeps that. */
async function withIgnored(
  { run, folder, since, tree }: AtEnd,
  leftOut: readonly LeftOut[],
  call: GitCall,
): Promise<readonly LeftOut[]> {
  const written = folder === null ? [] : await decidingSince(folder, since);
  if (written.length === 0) return leftOut;
  const captured = new Set([...(await treeEntries(tree, call)).keys()].map(nameText));
  const ignored = written.filter((path) => !captured.has(path)).map((path) => ({ path, because: WRITTEN }));
  if (ignored.length === 0) return leftOut;
  // First: only so many of them are kept and named.
  const all = [...ignored, ...leftOut];
  await keepLeftOut(run, all, call);
  return all;
}

/** The files that differ between two trees. */
async function differing(from: string, to: string, call: GitCall): Promise<readonly { readonly path: string }[]> {
  const names = await listNames(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to], call);
  return names.map((name) => ({ path: nameText(name) }));
}
