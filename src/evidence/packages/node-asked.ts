import { fitsAny } from '../path-globs.ts';
import { folderOf, foldersOf, joined, nameOf } from '../workspace-paths.ts';
import type { AskedPackage, PackageTexts, RangedPackage } from './package-request.ts';
import { isNodeLock, type NodeLock, readNodeLock } from './node-lock.ts';
import { nodeRanges, overriddenBy, workspaceGlobs } from './node-manifest.ts';

const MODULES = 'node_modules';

/**
 * Returns what manifests of JavaScript ask for. One counts where a lockfile or installed packages lie beside it, or
 * beside the package whose workspace it is.
 */
export function nodeAsked({ files, before, folders }: PackageTexts): readonly AskedPackage[] {
  const locks = new Map([...files].flatMap(([path, text]) => (isNodeLock(path) ? entryOf(path, text) : [])));
  const installed = new Set(folders.filter((path) => nameOf(path) === MODULES).map(folderOf));
  const manifests = [...files].filter(([path]) => nameOf(path) === 'package.json');
  const isOverridden = overriddenBy(manifests.map(([, text]) => text));
  const asked = manifests.flatMap(([path, text]) => {
    const folder = folderOf(path);
    const top = topOf(path, manifests);
    const lock = [...locks].find(([at]) => folderOf(at) === folder) ?? [...locks].find(([at]) => folderOf(at) === top);
    const isInstalled = installed.has(folder) || installed.has(top);
    const places = (name: string) => [...upTo(folder, top)].map((at) => `${at}${MODULES}/${name}`);
    return nodeRanges(text, isOverridden).flatMap((one) => [
      ...(isInstalled ? [{ ...one, asked: path, found: { places: places(one.name) } }] : []),
      ...(lock ? againstLock(one, folder, lock) : []),
    ]);
  });
  const changed = [...locks].flatMap(([path, lock]) =>
    before.has(path) && installed.has(folderOf(path)) ? lockAsked(path, lock, before.get(path) ?? '') : [],
  );
  return [...asked, ...changed];
}

const entryOf = (path: string, text: string): readonly (readonly [string, NodeLock])[] => {
  const lock = readNodeLock(path, text);
  return lock ? [[path, lock]] : [];
};

/** The folder of the package to whose workspaces this one belongs. Its own: it belongs to none. */
function topOf(path: string, manifests: readonly (readonly [string, string])[]): string {
  const folder = folderOf(path);
  const above = manifests.find(([other, text]) => {
    const start = folderOf(other);
    if (other === path || (start !== '' && !folder.startsWith(`${start}/`))) return false;
    const [out, within] = [true, false].map((isOut) =>
      workspaceGlobs(text).filter((glob) => isOut === glob.startsWith('!')),
    );
    const fits = (globs: readonly string[] = []) =>
      fitsAny(globs.flatMap((glob) => joined(start, glob.replace(/^!/, '')) ?? []))(folder);
    return fits(within) && !fits(out);
  });
  return above ? folderOf(above[0]) : folder;
}

/** The folders that a package is looked for in, the nearest first. */
const upTo = (folder: string, top: string): readonly string[] =>
  [folder, ...foldersOf(folder).toReversed(), '']
    .filter((at, index, all) => all.indexOf(at) === index && (at === top || at.startsWith(top === '' ? '' : `${top}/`)))
    .map((at) => (at === '' ? '' : `${at}/`));

function againstLock(
  one: RangedPackage,
  folder: string,
  [path, lock]: readonly [string, NodeLock],
): readonly AskedPackage[] {
  const start = folderOf(path);
  const within = start === '' ? folder : folder.slice(start.length + 1);
  const version = lock.versionFor(within, one.name, one.wanted);
  return version === undefined ? [] : [{ ...one, asked: path, found: { version } }];
}

/** The versions that a lockfile has now, and had not. */
function lockAsked(path: string, lock: NodeLock, before: string): readonly AskedPackage[] {
  const known = readNodeLock(path, before)?.installed;
  return [...lock.installed].flatMap(([place, { version, mayLack }]) => {
    if (known?.get(place)?.version === version) return [];
    const name = place.slice(place.lastIndexOf(`${MODULES}/`) + MODULES.length + 1);
    const at = joined(folderOf(path), place) ?? place;
    return [{ name, asked: path, wanted: version, range: version, mayLack, found: { places: [at] } }];
  });
}
