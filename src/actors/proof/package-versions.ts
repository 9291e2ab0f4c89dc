import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** More packages than this are not looked at. */
const MAX_PACKAGES = 3_000;
/** A manifest of a package that is larger says no version. */
const MAX_MANIFEST_BYTES = 1024 * 1024;
/** So many are read at once. */
const MAX_OPEN_FILES = 32;
const DISTRIBUTION = /^(.+?)-(\d[^-]*)\.(?:dist|egg)-info$/;

/**
 * The versions of installed packages of JavaScript, by the folder that they are installed in. Empty: its manifest says
 * none. Those that are not there are missing.
 */
export async function nodeVersions(root: string, places: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const rest = [...new Set(places)].slice(0, MAX_PACKAGES).values();
  const readSome = async () => {
    for (const place of rest) {
      const version = await versionAt(join(root, place, 'package.json'));
      if (version !== null) found.set(place, version);
    }
  };
  await Promise.all(Array.from({ length: MAX_OPEN_FILES }, readSome));
  return found;
}

/** Null: there is no such file. */
async function versionAt(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path);
    if (size > MAX_MANIFEST_BYTES) return '';
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    const version: unknown = Object(value).version;
    return typeof version === 'string' ? version : '';
  } catch (error) {
    return error instanceof SyntaxError ? '' : null;
  }
}

/**
 * The names and versions of the distributions in an environment of Python. Null: the folder is no
 * environment, or has those of the system, too.
 */
export async function distributions(
  root: string,
  environment: string,
): Promise<readonly (readonly [name: string, version: string])[] | null> {
  const folder = join(root, environment);
  const settings = await readFile(join(folder, 'pyvenv.cfg'), 'utf8').catch(() => null);
  if (settings === null || /^include-system-site-packages\s*=\s*true/im.test(settings)) return null;
  const engines = await namesIn(join(folder, 'lib'));
  const places = [...engines.map((name) => join(folder, 'lib', name)), join(folder, 'Lib')];
  const names = await Promise.all(places.map((place) => namesIn(join(place, 'site-packages'))));
  return names.flat().flatMap((name) => {
    const [, distribution, version] = DISTRIBUTION.exec(basename(name)) ?? [];
    return distribution === undefined || version === undefined ? [] : [[distribution, version] as const];
  });
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
