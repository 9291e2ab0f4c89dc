import { approvedKey, entryText } from '../../../config/approved-grounds.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import type { GitCall } from '../../../actors/workspace/git.ts';
import { startsAndEnds } from '../../../actors/workspace/run-refs.ts';
import { changedEntries } from '../../../actors/workspace/tree-change.ts';
import type { TreeEntry } from '../../../evidence/tree-entry.ts';
import {
  type Differences,
  type EarlierEntry,
  type EarlierRun,
  leftByRuns,
} from '../../../evidence/inherited-grounds.ts';
import { pathOf } from './base-grounds.ts';
import { isWithin } from '../../../actors/tools/confine.ts';
import { givenFolder } from '../change-folders.ts';
import type { RunRecord } from '../../../log/event-store.ts';
import type { Log } from '../../../log/log.ts';
import { readableFacts } from '../../../projections/fact.ts';
import { readSettings } from '../../../runtime/read-settings.ts';

/** Older ones of the log are not asked for, so that a long log costs no more than a short one. */
const MAX_LISTED = 200;
/** So many of this repository are looked at. */
const MAX_LOOKED_AT = 50;
const AT_ONCE = 8;

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

export interface FoundEarlier {
  /** By name as git has it, each byte one character. */
  readonly left: ReadonlyMap<string, EarlierEntry<TreeEntry>>;
  /** Runs of which it is not known what they began with or left: git has those trees no more. */
  readonly unread: readonly string[];
}

type Earlier = EarlierRun<TreeEntry>;

/** Trees that git keeps of a run. */
interface Kept {
  readonly start: string | null;
  readonly end: string | null;
}

const NOTHING_KEPT: Kept = { start: null, end: null };

/**
 * What earlier runs of this log have left in the workspace, and no person has approved or changed since. The log says
 * what the checks of a run went by; what git keeps says what a run without them found. One that left no capture of its
 * end, as where it was killed, has left the workspace as it is. Throws a `GitError`.
 */
export async function leftByEarlier(looking: Looking): Promise<FoundEarlier> {
  const { log, run, call } = looking;
  const newest = (await newestRuns(log)).filter((record) => record.run !== run);
  const kept = await startsAndEnds(
    newest.map((record) => record.run),
    call,
  );
  const found: (Earlier | string)[] = [];
  for (let from = 0; from < newest.length && found.length < MAX_LOOKED_AT; from += AT_ONCE) {
    const some = newest
      .slice(from, from + AT_ONCE)
      .map((record) => ({ ...NOTHING_KEPT, ...kept.get(record.run), ...record }));
    const looks = await Promise.all(some.map((record) => lookedAt(record, looking)));
    found.push(...looks.filter((one) => one !== null));
  }
  const runs = found.filter((one) => typeof one !== 'string');
  const unread = found.filter((one) => typeof one === 'string');
  const first = leftByRuns(runs);
  if (first.size === 0) return { left: first, unread };
  const involved = new Set([...first.values()].flatMap(({ by }) => by));
  const ruled = await Promise.all(runs.map((one) => (involved.has(one.run) ? withRulings(one, looking) : one)));
  return { left: leftByRuns(ruled), unread };
}

async function newestRuns(log: Log): Promise<readonly RunRecord[]> {
  const roots = (await log.runs()).filter(({ parentEffect }) => parentEffect === null);
  return roots.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)).slice(0, MAX_LISTED);
}

/** What the newest run of this repository has left. Null: none is known. */
export async function newestEnd(log: Log, call: GitCall): Promise<string | null> {
  const runs = (await newestRuns(log)).map(({ run }) => run);
  const kept = await startsAndEnds(runs, call);
  return runs.map((run) => kept.get(run)?.end ?? null).find((end) => end !== null) ?? null;
}

/** The id of the run alone, where git has not all of it. Null: it changed nothing here that is known. */
async function lookedAt(
  { run, forkedFrom, start, end }: Pick<RunRecord, 'run' | 'forkedFrom'> & Kept,
  { log, root, present, call, approved }: Looking,
): Promise<Earlier | string | null> {
  const settings = await readSettings(log, run);
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
async function withRulings(earlier: Earlier, { log, present, call }: Looking): Promise<Earlier> {
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
