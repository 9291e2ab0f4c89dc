import { INCIDENTAL_LIMITS, MAX_INCIDENTAL_BYTES, MAX_INCIDENTAL_FILES } from './secret-paths.ts';
import { askGit, type GitCall } from '../process/git.ts';
import { inputOf, nameText } from '../process/git-names.ts';
import type { LeftOut } from '../../../machines/events.ts';
import { bytesOf, statOf } from '../workspace-path.ts';
import { foldersOf } from '../../evidence/workspace-paths.ts';

// Files that a run makes, and has git ignore: the output of a build, or a script that should not be seen. They are part
// of its change, unless there are so many that they are what a package manager has installed.

const OWN_RULES = 'its own .gitignore, made since the run began, ignores it';
const TOO_MUCH = `git ignores it since the run began, and there is ${INCIDENTAL_LIMITS} of that`;

export interface IgnoredSince {
  /** Paths that are captured all the same, in latin1. */
  readonly taken: readonly string[];
  readonly left: readonly LeftOut[];
}

/**
 * Which of the files that git ignores only since a run began are captured. `entries`: what git ignores now, a folder
 * in place of its files. The smallest go first; a folder goes as a whole. A cache that ignores itself stays out.
 */
export async function ignoredSince(
  hidden: readonly string[],
  entries: readonly string[],
  call: GitCall,
): Promise<IgnoredSince> {
  const caches = await selfIgnoring(hidden, call);
  const cacheOf = (name: string) =>
    foldersOf(name)
      .map((folder) => `${folder}/`)
      .find((folder) => caches.has(folder));
  const inCaches = new Set(hidden.flatMap((name) => cacheOf(name) ?? []));
  const known = new Set(entries);
  const groups = new Map<string, string[]>();
  for (const name of hidden.filter((one) => cacheOf(one) === undefined)) {
    const entry = entryOf(name, known);
    groups.set(entry, [...(groups.get(entry) ?? []), name]);
  }
  const left: LeftOut[] = [...inCaches].map((path) => ({ path: nameText(path), because: OWN_RULES }));
  const taken: string[] = [];
  let bytes = 0;
  for (const [entry, names] of [...groups].toSorted(([, one], [, other]) => one.length - other.length)) {
    const size = taken.length + names.length > MAX_INCIDENTAL_FILES ? Infinity : await sizeOf(names, call.directory);
    // A repository within ends in a slash: its files are not listed.
    if (bytes + size > MAX_INCIDENTAL_BYTES || names.some((name) => name.endsWith('/'))) {
      left.push({ path: nameText(entry), because: TOO_MUCH });
    } else {
      bytes += size;
      taken.push(...names);
    }
  }
  return { taken, left };
}

/** The folder that git lists in place of a path in it, else the path. */
export const entryOf = (name: string, entries: ReadonlySet<string>): string =>
  foldersOf(name)
    .map((folder) => `${folder}/`)
    .find((folder) => entries.has(folder)) ?? name;

async function sizeOf(names: readonly string[], root: string): Promise<number> {
  let bytes = 0;
  for (const name of names) bytes += Number((await statOf(bytesOf(root, name)))?.size ?? 0);
  return bytes;
}

/** Folders, each with its slash, that hide some of these paths by a `.gitignore` of their own, and that one, too. */
async function selfIgnoring(hidden: readonly string[], call: GitCall): Promise<ReadonlySet<string>> {
  const sources = new Set((await ignoringFiles(hidden, call)).map(({ source }) => source));
  const files = [...sources].filter((source) => source.endsWith('/.gitignore'));
  const own = (await ignoringFiles(files, call)).filter(({ source, name }) => source === name);
  return new Set(own.map(({ name }) => name.slice(0, -'.gitignore'.length)));
}

/** Which file has the pattern by which git ignores each of these paths. */
async function ignoringFiles(names: readonly string[], call: GitCall) {
  if (names.length === 0) return [];
  const { stdout } = await askGit(['check-ignore', '-v', '-z', '--stdin'], { ...call, input: inputOf(names) });
  const said = Buffer.from(stdout).toString('latin1').split('\0');
  // Of each: the file, the line in it, the pattern, the name.
  return said.flatMap((source, at) => (at % 4 === 0 && source !== '' ? [{ source, name: said[at + 3] ?? '' }] : []));
}
