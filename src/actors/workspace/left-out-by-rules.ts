import type { GitCall } from './git.ts';
import { listNames, nameText } from './git-names.ts';
import { entryOf } from './ignored-since.ts';
import type { LeftOut } from '../../../machines/events.ts';
import { runRef } from './run-refs.ts';
import { treeEntries } from './tree-change.ts';

const BEFORE = 'git ignored it when the run began';

interface ByRules {
  readonly run: string;
  /** The worktree's own index. */
  readonly index: string;
  /** A file with the patterns of what was ignored when the run began. */
  readonly rules: string;
  /** Of the whole worktree, but for the loop's own. */
  readonly pathspecs: readonly string[];
}

/** Paths that git tracks, or would add, but for the rules of the run's beginning. `call` has the index of a capture. */
export async function leftOutByRules(
  { run, index, rules, pathspecs }: ByRules,
  call: GitCall,
): Promise<readonly LeftOut[]> {
  const byRules = `--exclude-from=${rules}`;
  const list = (options: readonly string[], of: GitCall) =>
    listNames(['ls-files', '-z', ...options, '--', ...pathspecs], of);
  const [visible, allowed, ignored, tracked, start] = await Promise.all([
    list(['--others', '--exclude-standard'], call),
    list(['--others', byRules], call),
    list(['--others', '--ignored', byRules, '--directory'], call),
    list(['--cached', '--ignored', byRules], { ...call, index }),
    treeEntries(runRef(run, 0), call),
  ]);
  const [isAllowed, isIgnored] = [new Set(allowed), new Set(ignored)];
  const shown = visible.filter((name) => !isAllowed.has(name)).map((name) => entryOf(name, isIgnored));
  const paths = new Set([...shown, ...tracked.filter((name) => !start.has(name))]);
  return [...paths].map((path) => ({ path: nameText(path), because: BEFORE }));
}
