import { nameText } from '../git/process/git-names.ts';
import type { TreeEntries } from '../git/tree-change.ts';
import { isLink, isRepository, sameEntry, type TreeEntry } from '../evidence/tree-entry.ts';

// A proof asks the same of the same trees many times, and of a large tree each question looks at every path.

/** What a tree has at a path, with its name as git has it: names need not be text. */
export interface NamedEntry extends TreeEntry {
  readonly name: string;
}

export type NamedEntries = ReadonlyMap<string, NamedEntry>;

const ASCII = /^[ -~]*$/;

/** The path of a name as text. A name that is no UTF-8 is its own path, a character for each byte. */
export function pathOf(name: string): string {
  if (ASCII.test(name)) return name;
  const text = nameText(name);
  return text.includes('\uFFFD') ? name : text;
}

/** A tree by paths that are text. */
export const byPath = onceFor((entries: TreeEntries): NamedEntries => {
  const found = new Map<string, NamedEntry>();
  for (const [name, { mode, hash }] of entries) found.set(pathOf(name), { mode, hash, name });
  return found;
});

export const byName = (entries: NamedEntries): TreeEntries =>
  new Map([...entries.values()].map(({ name, mode, hash }) => [name, { mode, hash }]));

/** The symbolic links in a tree. */
export const linksIn = onceFor((tree: NamedEntries) => pathsWith(tree, isLink));

/** The repositories within a tree. */
export const repositoriesIn = onceFor((tree: NamedEntries) => pathsWith(tree, isRepository));

function pathsWith(tree: NamedEntries, fits: (entry: TreeEntry) => boolean): readonly string[] {
  const paths: string[] = [];
  for (const [path, entry] of tree) if (fits(entry)) paths.push(path);
  return paths;
}

const differing = onceFor((one: NamedEntries) =>
  onceFor((other: NamedEntries): ReadonlySet<string> => {
    const paths = new Set<string>();
    for (const [path, entry] of one) if (!sameEntry(entry, other.get(path))) paths.add(path);
    for (const path of other.keys()) if (!one.has(path)) paths.add(path);
    return paths;
  }),
);

/** The paths at which two trees do not have the same: those of the first one, and then further ones. */
export const changedPaths = (one: NamedEntries, other: NamedEntries): ReadonlySet<string> =>
  one === other ? new Set() : differing(one)(other);

/** A function that finds something in what does not change: once for each, as long as that is there. */
export function onceFor<Of extends object, Value>(find: (of: Of) => Value): (of: Of) => Value {
  const found = new WeakMap<Of, { readonly value: Value }>();
  return (of) => {
    const known = found.get(of) ?? { value: find(of) };
    found.set(of, known);
    return known.value;
  };
}
