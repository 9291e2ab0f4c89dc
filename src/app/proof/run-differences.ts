import type { RunSettings } from '../../../machines/settings.ts';
import { approvedKey, entryText } from '../../config/grounds-approval.ts';
import { isWithin } from '../../actors/tools/confine.ts';
import type { GitCall } from '../../git/process/git.ts';
import { changedEntries } from '../../git/tree-change.ts';
import type { Differences, EarlierRun } from '../../evidence/grounds-of-earlier.ts';
import type { TreeEntry } from '../../evidence/tree-entry.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { readableFacts } from '../../projections/read-summary.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { givenFolder } from '../../actors/capture-repository.ts';
import { pathOf } from '../../verification/trees-by-path.ts';
import type { Log } from '../../log/log.ts';

export type Earlier = EarlierRun<TreeEntry>;

export interface Looking {
  readonly log: Log;
  /** The run that is to begin. Null: none is. */
  readonly run: string | null;
  /** The top folder of the workspace. */
  readonly root: string;
  /** Hash of the tree of the workspace now. */
  readonly present: string;
  /** In the repository that has the captures. */
  readonly call: GitCall;
  /** What a person has approved after runs had ended: see `approvedKey`. */
  readonly approved: ReadonlySet<string>;
}

/** A run as its log, or git alone, has it. */
export interface KnownEarlier extends Pick<RunRecord, 'run' | 'createdAt' | 'forkedFrom'> {
  /** Trees that git keeps of it. */
  readonly start: string | null;
  readonly end: string | null;
  /** What it left was brought into the workspace. */
  readonly isBrought: boolean;
  /** The log has it. */
  readonly isLogged: boolean;
}

/** The id of the run alone, where git has not all of it. Null: it changed nothing here that is known. */
export async function differencesOf(
  { run, forkedFrom, start, end, isBrought, isLogged }: KnownEarlier,
  { log, root, present, call, approved }: Looking,
): Promise<Earlier | string | null> {
  const settings = isLogged ? await readSettings(log, run) : null;
  const isKept = start !== null || end !== null;
  // A process can remove what git keeps: the log still names what the checks of the run went by.
  if (!isKept && !(settings?.proof && isWithin(root, givenFolder(settings)))) return null;
  // A continuation began with what a person may have changed since.
  const base = forkedFrom === null ? (settings?.proof?.base ?? settings?.isolation?.base ?? start) : start;
  if (base === null) return run;
  try {
    const before = await differences(base, present, call);
    const left: Differences<TreeEntry> = end === null ? new Map() : await differences(end, present, call);
    return {
      run,
      base: before,
      end: left,
      isElsewhere: (settings === null || settings.isolation !== undefined) && !isBrought,
      inherited: inheritedBy(settings, [...before.keys(), ...left.keys()]),
      isApproved: (path, entry) => approved.has(approvedKey(path, entryText(entry))),
    };
  } catch {
    return run;
  }
}

const differences = async (tree: string, present: string, call: GitCall): Promise<Differences<TreeEntry>> =>
  tree === present ? new Map() : changedEntries(tree, present, call);

/** By name as git has it. The settings have the paths of these. */
function inheritedBy(settings: RunSettings | null, names: readonly string[]): ReadonlyMap<string, string> {
  const runs = new Map(settings?.proof?.inherited?.map(({ path, run }) => [path, run]));
  return new Map(
    names.flatMap((name) => {
      const run = runs.get(pathOf(name));
      return run === undefined ? [] : [[name, run] as const];
    }),
  );
}

/** With what a person approved while it worked: the grounds of the newest work of which they let the changes count. */
export async function withRulings(earlier: Earlier, { log, present, call }: Looking): Promise<Earlier> {
  let tree: string | null = null;
  for await (const fact of readableFacts(log, earlier.run)) {
    if (fact.type !== 'verification.completed' || fact.payload.proof?.dispute?.is !== 'approved') continue;
    tree = fact.payload.workspace;
  }
  const ruled = tree === null ? null : await differences(tree, present, call).catch(() => null);
  if (ruled === null) return earlier;
  const isRuled = (path: string, entry: TreeEntry | null): boolean => {
    const difference = ruled.get(path);
    // Where it differs not, it is what is there now.
    const was = difference ? difference.before : (earlier.base.get(path)?.after ?? null);
    return entryText(was) === entryText(entry);
  };
  return { ...earlier, isApproved: (path, entry) => isRuled(path, entry) || earlier.isApproved(path, entry) };
}
