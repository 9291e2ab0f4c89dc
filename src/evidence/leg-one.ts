import type { GroundChange } from '../../machines/recorded-proof.ts';
import type { Ground } from './classify-grounds.ts';
import { restoredKeys } from './text-by-keys.ts';
import { isFile, sameEntry, type TreeEntry } from './tree-entry.ts';
import { folderOf, foldersOf, joined } from './workspace-paths.ts';

/** The tree of the first leg: the work with exactly the base's grounds. */
export interface LegOne<Entry extends TreeEntry> {
  readonly changes: readonly GroundChange[];
  /** What it has at each path, but for the texts. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** New texts of files that are in `entries` as the work has them. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface LegOneFacts<Entry extends TreeEntry> {
  readonly base: ReadonlyMap<string, Entry>;
  readonly work: ReadonlyMap<string, Entry>;
  readonly grounds: ReadonlyMap<string, Ground>;
  /** The text of a file of which only some keys are grounds; null where it cannot be read. */
  readonly text: (entry: Entry) => string | null;
}

/** Plans the tree of the first leg. Where a file and a folder have one name, the base's ground wins. */
export function legOne<Entry extends TreeEntry>(facts: LegOneFacts<Entry>): LegOne<Entry> {
  const { base, work, grounds } = facts;
  const entries = new Map(work);
  const texts = new Map<string, string>();
  const changes: GroundChange[] = [];
  for (const [path, { reason }] of grounds) {
    const [before, after] = [base.get(path), work.get(path)];
    if (sameEntry(before, after)) continue;
    const keyed = reason === 'keys' ? keysRestored(path, before, after, facts) : null;
    if (keyed?.kind === 'same') continue;
    if (keyed?.kind === 'keys') {
      texts.set(path, keyed.text);
      changes.push({ path, how: 'keys', keys: [...keyed.keys] });
    } else if (before) {
      entries.set(path, before);
      changes.push({ path, how: 'restored' });
    } else {
      entries.delete(path);
      changes.push({ path, how: 'absent' });
    }
  }
  const inTheWay = clashes(changes, entries);
  for (const path of inTheWay) {
    entries.delete(path);
    texts.delete(path);
  }
  const known = new Set(changes.map(({ path }) => path));
  const moved = inTheWay.filter((path) => !known.has(path)).map((path) => ({ path, how: 'absent' as const }));
  return { changes: [...changes, ...moved].toSorted(byPath), entries, texts };
}

const byPath = (one: GroundChange, other: GroundChange): number => (one.path < other.path ? -1 : 1);

function keysRestored<Entry extends TreeEntry>(
  path: string,
  before: Entry | undefined,
  after: Entry | undefined,
  { text, base, grounds }: LegOneFacts<Entry>,
) {
  // A link in the place of a file, or a file that was removed, has no keys to restore.
  if (!after || [before, after].some((entry) => entry && !isFile(entry))) return null;
  const [was, is] = [before ? text(before) : null, text(after)];
  return is === null || (before && was === null) ? null : restoredKeys(path, was, is, isOfTests);

  function isOfTests(target: string): boolean {
    const meant = joined(folderOf(path), target);
    const [start = '', end] = meant?.split('*') ?? [];
    if (end === undefined) return grounds.has(start);
    const found = [...base.keys()].filter((file) => file.startsWith(start) && file.endsWith(end));
    return found.length > 0 && found.every((file) => grounds.has(file));
  }
}

/** Paths of the work that a restored file lies in, or that lie in what is a file in the base. */
function clashes(changes: readonly GroundChange[], entries: ReadonlyMap<string, TreeEntry>): readonly string[] {
  const restored = new Set(changes.filter(({ how }) => how === 'restored').map(({ path }) => path));
  if (restored.size === 0) return [];
  const above = [...restored].flatMap(foldersOf).filter((path) => entries.has(path) && !restored.has(path));
  const below = [...entries.keys()].filter(
    (path) => !restored.has(path) && foldersOf(path).some((folder) => restored.has(folder)),
  );
  return [...new Set([...above, ...below])];
}
