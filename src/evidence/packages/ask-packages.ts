import { folderOf, foldersOf, joined, nameOf } from '../workspace-paths.ts';
import {
  type AskedPackage,
  distributionPlace,
  type PackageFiles,
  type PackageTexts,
  type RangedPackage,
} from './package-request.ts';
import { goRequires, vendoredModules } from './go-manifest.ts';
import { nodeAsked } from './node-asked.ts';
import { isPythonManifest, pythonRanges } from './python-manifest.ts';
import { cargoRanges, tomlLock } from './toml-lock.ts';
import { meets } from './version-ranges.ts';

/** All that the manifests and lockfiles of a tree ask for, each with where its version is to be found. */
export function askedPackages(texts: PackageTexts): readonly AskedPackage[] {
  const { files, folders } = texts;
  const hasEnvironment = folders.some((folder) => !['node_modules', 'vendor'].includes(nameOf(folder)));
  const others = [...files].flatMap(([path, text]) => {
    if (isPythonManifest(path)) return pythonAsked(path, text, files, hasEnvironment);
    if (nameOf(path) === 'Cargo.toml') return cargoAsked(path, text, files);
    return nameOf(path) === 'go.mod' ? goAsked(path, text, files) : [];
  });
  return [...nodeAsked(texts), ...others];
}

const PYTHON_LOCKS = ['uv.lock', 'poetry.lock', 'pdm.lock'];

function pythonAsked(path: string, text: string, files: PackageFiles, hasEnvironment: boolean): AskedPackage[] {
  const ranges = pythonRanges(path, text);
  const installed = hasEnvironment
    ? ranges.map((one) => ({ ...one, asked: path, found: { places: [distributionPlace(one.name)] } }))
    : [];
  const locks = PYTHON_LOCKS.flatMap((name) => joined(folderOf(path), name) ?? []);
  const locked = locks.flatMap((lock) => {
    const versions = byPlace(tomlLock(files.get(lock) ?? ''));
    const known = ranges.filter(({ name }) => versions.has(distributionPlace(name)));
    return known.map((one) => againstLock(one, lock, versions.get(distributionPlace(one.name)) ?? []));
  });
  return [...installed, ...locked];
}

const byPlace = (versions: ReadonlyMap<string, readonly string[]>) =>
  new Map([...versions].map(([name, all]) => [distributionPlace(name), all]));

function cargoAsked(path: string, text: string, files: PackageFiles): AskedPackage[] {
  const lock = nearest(path, 'Cargo.lock', files);
  if (lock === null) return [];
  const versions = tomlLock(files.get(lock) ?? '');
  return cargoRanges(text).map((one) => againstLock(one, lock, versions.get(one.name) ?? []));
}

function goAsked(path: string, text: string, files: PackageFiles): AskedPackage[] {
  const list = joined(folderOf(path), 'vendor/modules.txt') ?? '';
  const modules = files.get(list);
  if (modules === undefined) return [];
  const versions = vendoredModules(modules);
  return goRequires(text).map((one) => ({ ...one, asked: path, found: { version: versions.get(one.name) ?? null } }));
}

/** What a manifest asks for, as its lockfile has it. One of several versions that it may have is enough. */
const againstLock = (one: RangedPackage, lock: string, versions: readonly string[]): AskedPackage => ({
  ...one,
  asked: lock,
  found: { version: versions.find((version) => meets(version, one.range)) ?? versions[0] ?? null },
});

/** A file of this name beside a path, or above it. */
function nearest(path: string, name: string, files: PackageFiles): string | null {
  const folders = [...foldersOf(path).toReversed(), ''];
  return folders.map((folder) => joined(folder, name) ?? '').find((file) => files.has(file)) ?? null;
}
