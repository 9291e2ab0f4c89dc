import { sameEntry, type TreeEntry } from './tree-entry.ts';

/** What differs at a path between a tree of an earlier run (`before`) and the workspace now (`after`). */
export interface Difference<Entry extends TreeEntry> {
  readonly before: Entry | null;
  readonly after: Entry | null;
}

export type Differences<Entry extends TreeEntry> = ReadonlyMap<string, Difference<Entry>>;

/** An earlier run, by how what it began with and what it left differ from the workspace now. */
export interface EarlierRun<Entry extends TreeEntry> {
  readonly run: string;
  /** What its checks went by, or else what it found. */
  readonly base: Differences<Entry>;
  readonly end: Differences<Entry>;
  /** Which run changed a ground before it, by path. */
  readonly inherited: ReadonlyMap<string, string>;
  /** What it left never came into the workspace, as far as that is known. */
  readonly isElsewhere?: boolean;
  /** A person has let what it left there count. */
  readonly isApproved: (path: string, entry: Entry | null) => boolean;
}

/** What was at a path before earlier runs changed it, and the run that did so first. */
export interface EarlierEntry<Entry extends TreeEntry> {
  readonly run: string;
  readonly entry: Entry | null;
  /** All runs that changed it since, the newest first. */
  readonly by: readonly string[];
}

/**
 * The files of the workspace that are still what earlier runs have left there, with what was there before. Several runs
 * may have changed one in turn; what a person has written since, or approved, is the person's. `runs`: newest first.
 */
export function leftByRuns<Entry extends TreeEntry>(
  runs: readonly EarlierRun<Entry>[],
): ReadonlyMap<string, EarlierEntry<Entry>> {
  const now = new Map<string, Entry | null>();
  const found = new Map<string, EarlierEntry<Entry>>();
  const approved = new Set<string>();
  for (const { base, end } of runs) {
    for (const [path, { after }] of [...base, ...end]) now.set(path, after);
  }
  for (const { run, base, end, inherited, isApproved } of runs) {
    for (const path of now.keys()) {
      if (approved.has(path)) continue;
      const present = now.get(path) ?? null;
      const [was, left] = [entryIn(base, path, present), entryIn(end, path, present)];
      const known = found.get(path);
      const entry = known ? known.entry : present;
      if (!sameEntry(left, entry) || sameEntry(was, entry)) continue;
      if (isApproved(path, left)) approved.add(path);
      else found.set(path, { run: inherited.get(path) ?? run, entry: was, by: [...(known?.by ?? []), run] });
    }
  }
  return new Map([...found].filter(([path, { entry }]) => !sameEntry(entry, now.get(path) ?? null)));
}

/** A path that an earlier run changed, and that is now neither what it was before nor what the run left. */
export interface ChangedSince<Entry extends TreeEntry> extends EarlierEntry<Entry> {
  readonly left: Entry | null;
  readonly now: Entry | null;
  /** A person may have changed it since, and not only worked on something else. */
  readonly isTheirs: boolean;
  /** A later run has begun with what is there now. */
  readonly isKnown: boolean;
}

/** The same, with what was there before the first of the runs that changed it in turn. `runs`: newest first. */
export function changedSinceRuns<Entry extends TreeEntry>(
  runs: readonly EarlierRun<Entry>[],
): ReadonlyMap<string, ChangedSince<Entry>> {
  const found = new Map<string, ChangedSince<Entry>>();
  const settled = new Set<string>();
  for (const [at, { run, base, end, inherited, isElsewhere = false, isApproved }] of runs.entries()) {
    for (const path of new Set([...base.keys(), ...end.keys()])) {
      const now = (base.get(path) ?? end.get(path))?.after ?? null;
      const [was, left, known] = [entryIn(base, path, now), entryIn(end, path, now), found.get(path)];
      if (settled.has(path) || sameEntry(was, left)) continue;
      const isFirst = known === undefined;
      if (!isFirst && !sameEntry(left, known.entry)) continue;
      // What is there now is the run's own, or was there before it.
      const isOver = isFirst && (sameEntry(left, now) || sameEntry(was, now));
      if (isOver || isApproved(path, left)) settled.add(path);
      if (isOver || (isFirst && settled.has(path))) continue;
      const isKnown = runs.slice(0, at).some((later) => sameEntry(entryIn(later.base, path, now), now));
      const first = { left, now, isTheirs: !isElsewhere, isKnown };
      const by = [...(known?.by ?? []), run];
      if (isFirst || !settled.has(path))
        found.set(path, { ...(known ?? first), run: inherited.get(path) ?? run, entry: was, by });
    }
  }
  return new Map([...found].filter(([, { entry, now }]) => !sameEntry(entry, now)));
}

function entryIn<Entry extends TreeEntry>(
  differences: Differences<Entry>,
  path: string,
  present: Entry | null,
): Entry | null {
  const difference = differences.get(path);
  return difference ? difference.before : present;
}
