import { z } from 'zod';
import { LeftOut } from '../../../machines/events.ts';
import { askGit, type GitCall } from '../process/git.ts';
import { keepJson, keptJson, runRef } from '../run-refs.ts';
import { listNames, nameText } from '../process/git-names.ts';
import { entryOf } from './ignore-changes.ts';
import { treeEntries } from '../tree-change.ts';

/** More paths of one run are not named. */
const MAX_NAMED = 1_000;

/** Keeps what the capture of a run's end leaves out, or, until it has one, that of its start. */
export async function keepLeftOut(run: string, leftOut: readonly LeftOut[], call: GitCall): Promise<void> {
  if (leftOut.length === 0) {
    // A run that was resumed may have had some when it left before.
    await askGit(['update-ref', '-d', runRef(run, 'left-out')], call);
    return;
  }
  await keepJson(run, 'left-out', leftOut.slice(0, MAX_NAMED), call);
}

/** Adds to what the capture of a run's end leaves out. First: only so many of them are kept and named. */
export async function keepMoreLeftOut(run: string, more: readonly LeftOut[], call: GitCall): Promise<void> {
  await keepLeftOut(run, [...more, ...(await leftOutOf(run, call))], call);
}

/** The files that the capture of a run's end leaves out. */
export async function leftOutOf(run: string, call: GitCall): Promise<readonly LeftOut[]> {
  return z.array(LeftOut).safeParse(await keptJson(run, 'left-out', call)).data ?? [];
}

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
