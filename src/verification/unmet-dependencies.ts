import { textOf } from '../git/object-text.ts';
import type { GitCall } from '../git/process/git.ts';
import { MAX_NAMED, type UnmetDependency } from '../../machines/recorded-proof.ts';
import { distributions, nodeVersions } from '../actors/proof/package-versions.ts';
import { distributionPlace } from '../evidence/packages/package-request.ts';
import { askedPackages } from '../evidence/packages/ask-packages.ts';
import { installsPackages, isLockfile, isPackageFile } from '../evidence/packages/package-files.ts';
import { unmetPackages } from '../evidence/packages/unmet-packages.ts';
import { isFile } from '../evidence/tree-entry.ts';
import { folderOf, joined } from '../evidence/workspace-paths.ts';
import { type NamedEntries, onceFor } from './trees-by-path.ts';
import type { LegsSubject } from './legs-subject.ts';
import type { PreparedLegs } from './prepare-legs.ts';

/** More manifests and lockfiles than this are not read, those in deep folders least, nor larger ones. */
const MAX_PACKAGE_FILES = 100;
const MAX_PACKAGE_FILE_BYTES = 16 * 1024 * 1024;
const MODULES = 'node_modules';
const KEPT = /^(?:.*?\/)??node_modules(?=\/)/;

type Legs = Pick<PreparedLegs, 'plan' | 'dependencies' | 'call'>;

/**
 * The packages of which the manifests, the lockfiles and what is installed do not agree: the first ones. Manifests are
 * those of the first leg. Where the checks install packages themselves, what is installed is not looked at.
 */
export async function unmetDependencies(
  { origin: { root }, prepare, checks }: Pick<LegsSubject, 'origin' | 'prepare' | 'checks'>,
  { plan: { base, trees }, dependencies, call }: Legs,
): Promise<UnmetDependency[]> {
  const [tree] = trees;
  const paths = packageFilesIn(tree);
  if (paths.length === 0) return [];
  const isInstalling = installsPackages([...prepare, ...checks.map(({ command }) => command)]);
  const modules = isInstalling ? [] : [...dependencies.filter(isModules), ...keptModules(tree, paths)];
  const python = isInstalling ? new Map() : await pythonVersions(root, dependencies);
  const folders = [...modules, ...python.keys()];
  const locks = paths.filter(isLockfile);
  if (folders.length === 0 && locks.length === 0) return [];
  const changed = locks.filter((path) => base.get(path)?.hash !== tree.get(path)?.hash);
  const [files, before] = await Promise.all([textsOf(paths, tree, call), textsOf(changed, base, call)]);
  const asked = askedPackages({
    files,
    before: new Map(changed.map((path) => [path, before.get(path) ?? ''])),
    folders,
  });
  const places = asked.flatMap(({ found }) => ('places' in found ? found.places : []));
  const versions = await nodeVersions(root, places.filter(isModules));
  return unmetPackages(asked, new Map([...versions, ...[...python.values()].flat()])).slice(0, MAX_NAMED);
}

const packageFilesIn = onceFor((tree: NamedEntries) =>
  [...tree.keys()].filter(isPackageFile).toSorted((one, other) => depthOf(one) - depthOf(other)),
);

const depthOf = (path: string): number => path.split('/').length;
const isModules = (path: string): boolean => path.split('/').includes(MODULES);

/** The distributions of each environment of Python, by their place. */
async function pythonVersions(root: string, dependencies: readonly string[]) {
  const found = await Promise.all(
    dependencies
      .filter((folder) => !isModules(folder))
      .map(async (folder) => [folder, await distributions(root, folder)] as const),
  );
  const named = found.flatMap(([folder, all]) => (all === null ? [] : [[folder, all] as const]));
  return new Map(
    named.map(([folder, all]) => [folder, all.map(([name, version]) => [distributionPlace(name), version] as const)]),
  );
}

/** Folders of installed packages that git keeps, beside manifests. */
function keptModules(tree: NamedEntries, paths: readonly string[]): readonly string[] {
  const kept = new Set([...tree.keys()].flatMap((path) => KEPT.exec(path)?.[0] ?? []));
  return paths.map((path) => joined(folderOf(path), MODULES) ?? '').filter((path) => kept.has(path));
}

async function textsOf(paths: readonly string[], tree: NamedEntries, call: GitCall) {
  const texts = new Map<string, string>();
  for (const path of paths.slice(0, MAX_PACKAGE_FILES)) {
    const entry = tree.get(path);
    const text = isFile(entry) ? await textOf(entry.hash, call, MAX_PACKAGE_FILE_BYTES) : null;
    if (text !== null) texts.set(path, text);
  }
  return texts;
}
