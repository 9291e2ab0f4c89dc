import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Which of these files a layer has, or has in place of them or of a folder above them: what was written, replaced or
 * removed there, also where it was put back afterwards. Paths from the top of the layer. Only folders with such files
 * are looked into.
 *
 * @example
 * await touchedIn('/proof/base/tree/upper', new Set(['test/sum.test.js'])); // ['test/sum.test.js']
 */
export async function touchedIn(layer: string, paths: ReadonlySet<string>): Promise<readonly string[]> {
  if (paths.size === 0) return [];
  const below = byFolder(paths);
  const found: string[] = [];
  const look = async (folder: string): Promise<void> => {
    const inside = below.get(folder);
    if (!inside) return;
    for (const entry of await readdir(join(layer, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) await look(path);
      // A link or a whiteout in the place of a folder hides all that was in it.
      else found.push(...(paths.has(path) ? [path] : filesIn(path, below)));
    }
  };
  await look('');
  return found.toSorted();
}

type ByFolder = ReadonlyMap<string, ReadonlySet<string>>;

/** What each folder has of the paths, by the names in it: files and folders alike. */
function byFolder(paths: ReadonlySet<string>): ByFolder {
  const below = new Map<string, Set<string>>();
  for (const path of paths) {
    for (let at = path; ;) {
      const end = at.lastIndexOf('/');
      const folder = end < 0 ? '' : at.slice(0, end);
      const known = below.get(folder);
      if (known) {
        known.add(at);
        break;
      }
      below.set(folder, new Set([at]));
      if (folder === '') break;
      at = folder;
    }
  }
  return below;
}

const filesIn = (folder: string, below: ByFolder): readonly string[] =>
  [...(below.get(folder) ?? [])].flatMap((path) => (below.has(path) ? filesIn(path, below) : [path]));
