import { join } from 'node:path';
import type { Kept } from '../../git/bring/bring-plan.ts';
import type { GitCall } from '../../git/process/git.ts';
import { nameText } from '../../git/process/git-names.ts';
import { leftOutOf } from '../../git/capture/omissions.ts';
import { TOO_LARGE } from '../../git/capture/inner-repositories.ts';
import { treeEntries } from '../../git/tree-change.ts';
import { isFolder } from '../start/is-folder.ts';

/** A file that stays as it is, and why. */
export interface KeptPath {
  /** Ends in a slash: a repository within, with everything in it. */
  readonly path: string;
  readonly because: string;
  /** Absolute: what to remove where all of that repository was made since the run began. */
  readonly folder?: string;
}

// No capture has the commits of a repository within: an undo that removed it could not be taken back.
const MADE_SINCE = 'a repository that was made since the run began, and git here has no copy of its history';

/** What an `undo` in the run's own workspace leaves. A repository that the run made is one path, captured or not. */
export async function keptByUndo(
  { run, start, kept }: { readonly run: string; readonly start: string; readonly kept: readonly Kept[] },
  call: GitCall,
): Promise<readonly KeptPath[]> {
  const before = [...(await treeEntries(start, call)).keys()];
  const isMade = (within: string) => !before.some((name) => name === within || name.startsWith(`${within}/`));
  const captured = new Set(kept.flatMap(({ within }) => (within !== undefined && isMade(within) ? [within] : [])));
  const tooLarge = (await leftOutOf(run, call)).filter(({ because }) => because === TOO_LARGE);
  const made = new Set([...[...captured].map((name) => `${nameText(name)}/`), ...tooLarge.map(({ path }) => path)]);
  const left: KeptPath[] = [];
  for (const path of made) {
    const folder = join(call.directory, path.slice(0, -1));
    if (await isFolder(folder)) left.push({ path, because: MADE_SINCE, folder });
  }
  const others = kept.filter(({ within }) => within === undefined || !captured.has(within));
  return [...others.map(({ path, because }) => ({ path, because })), ...left];
}
