import type { GitCall } from '../../git/process/git.ts';
import { runRefs } from '../../git/run-refs.ts';
import { changedEntries, treeEntries } from '../../git/tree-change.ts';
import type { LeftSettings } from '../../evidence/settings-of-runs.ts';
import { sameEntry } from '../../evidence/tree-entry.ts';
import { pathText } from '../../text/path-text.ts';
import { settingsText } from '../isolation/repository-since.ts';
import { baseGrounds } from '../../verification/base-grounds.ts';
import { byPath, pathOf } from '../../verification/trees-by-path.ts';
import type { GroundRules } from './base-of-earlier.ts';

const MAX_PATHS = 20;
const MAX_PATH_CHARACTERS = 200;

/** The hooks and settings of git that earlier runs changed. */
export type ChangedBefore = readonly LeftSettings[];

interface Since {
  /** Hash of the tree of the workspace now. */
  readonly present: string;
  /** The commit that is checked out now. Null: there is none. */
  readonly head: string | null;
  readonly rules: GroundRules;
  readonly call: GitCall;
}

/**
 * Names the grounds that commits since an earlier run have otherwise than it left them, where git still goes by hooks
 * or settings that the run changed: a person may not have written that. Throws a `GitError`.
 */
export async function committedUnder(left: ChangedBefore, since: Since): Promise<readonly string[]> {
  const found = await Promise.all(left.map((one) => committedSince(one, since)));
  return found.flatMap((text) => text ?? []);
}

async function committedSince({ run, names }: LeftSettings, { present, head, rules, call }: Since) {
  const refs = await runRefs(run, call);
  const [then, end] = [refs.get('head'), refs.get('end')];
  if (then === undefined || end === undefined || head === null || head === then) return null;
  const [committed, atEnd, entries] = await Promise.all([
    changedEntries(then, head, call),
    treeEntries(end, call),
    treeEntries(present, call),
  ]);
  const work = byPath(entries);
  const { grounds } = await baseGrounds(work, work, rules, call);
  const paths = [...committed]
    .filter(([name, { after }]) => !sameEntry(after, atEnd.get(name)) && grounds.has(pathOf(name)))
    .map(([name]) => pathText(pathOf(name), MAX_PATH_CHARACTERS));
  if (paths.length === 0) return null;
  const more = paths.length > MAX_PATHS ? ` and ${paths.length - MAX_PATHS} more` : '';
  return (
    `Commits since run ${run}, under ${settingsText(names)} as it left them, changed ` +
    `${paths.slice(0, MAX_PATHS).join(', ')}${more}: look at what they have there.`
  );
}
