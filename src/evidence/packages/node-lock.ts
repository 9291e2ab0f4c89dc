import { parse } from 'yaml';
import { z } from 'zod';
import { objectIn } from '../key-grounds.ts';
import { foldersOf, nameOf } from '../workspace-paths.ts';

/** The versions that a lockfile of a JavaScript package manager says. */
export interface NodeLock {
  /**
   * The version that a folder gets for what it asks for, from that of the lockfile. Null: the lockfile has none.
   * Undefined: no version, but a place, or the like.
   */
  readonly versionFor: (folder: string, name: string, wanted: string) => string | null | undefined;
  /** Versions by the folder that they are installed in. Only npm has them. */
  readonly installed: ReadonlyMap<string, { readonly version: string; readonly mayLack: boolean }>;
}

const Flag = z.boolean().catch(false);
const Locked = z.object({
  version: z.string().optional(),
  link: Flag,
  optional: Flag,
  peer: Flag,
  name: z.string().optional(),
});
const NpmLock = z.object({
  packages: z.record(z.string(), Locked).optional(),
  dependencies: z.record(z.string(), Locked).catch({}),
});
const PnpmGroup = z.record(z.string(), z.object({ version: z.string() })).catch({});
const PnpmFolder = z.object({
  dependencies: PnpmGroup,
  devDependencies: PnpmGroup,
  optionalDependencies: PnpmGroup,
});
const PnpmLock = PnpmFolder.extend({ importers: z.record(z.string(), PnpmFolder).optional() });

const READERS: ReadonlyMap<string, (text: string) => NodeLock | null> = new Map([
  ['package-lock.json', npmLock],
  ['npm-shrinkwrap.json', npmLock],
  ['pnpm-lock.yaml', pnpmLock],
  ['yarn.lock', yarnLock],
]);

export const isNodeLock = (path: string): boolean => READERS.has(nameOf(path));

/** A proof reads each lockfile three times, and to parse one takes longer than all else that is done with it. */
const MAX_KNOWN = 4;
const known = new Map<string, NodeLock | null>();

/** Reads a lockfile. Null: it cannot be read. */
export function readNodeLock(path: string, text: string): NodeLock | null {
  const key = `${nameOf(path)}\0${text}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const lock = parsedLock(path, text);
  known.set(key, lock);
  const [oldest = key] = known.size > MAX_KNOWN ? known.keys() : [];
  if (oldest !== key) known.delete(oldest);
  return lock;
}

function parsedLock(path: string, text: string): NodeLock | null {
  try {
    return READERS.get(nameOf(path))?.(text) ?? null;
  } catch {
    return null;
  }
}

function npmLock(text: string): NodeLock | null {
  const { success, data } = NpmLock.safeParse(objectIn(text));
  if (!success) return null;
  const packages = data.packages ?? {};
  const found = (folder: string, name: string) => {
    const above = [...foldersOf(`${folder}/x`).toReversed(), ''].map((at) => (at === '' ? '' : `${at}/`));
    const place = above.map((at) => `${at}node_modules/${name}`).find((at) => Object.hasOwn(packages, at));
    return place === undefined ? data.dependencies[name] : packages[place];
  };
  const installed = Object.entries(packages).flatMap(([place, { version, link, optional, peer }]) =>
    place.includes('node_modules/') && version !== undefined && !link
      ? [[place, { version, mayLack: optional || peer }] as const]
      : [],
  );
  return {
    versionFor: (folder, name) => {
      const entry = found(folder, name);
      if (entry === undefined) return null;
      return entry.link || entry.name !== undefined ? undefined : entry.version;
    },
    installed: new Map(installed),
  };
}

function pnpmLock(text: string): NodeLock | null {
  const { success, data } = PnpmLock.safeParse(parse(text));
  if (!success) return null;
  const folders = data.importers ?? { '.': data };
  return {
    versionFor: (folder, name) => {
      const at = folders[folder === '' ? '.' : folder];
      const entry = at && (at.dependencies[name] ?? at.devDependencies[name] ?? at.optionalDependencies[name]);
      return entry ? /^\d[^(]*/.exec(entry.version)?.[0] : null;
    },
    installed: new Map(),
  };
}

/** Its entries begin with all that they answer: `"ms@^2.0.0", ms@^2.1.1:`, or since version 2 `"ms@npm:^2.1.1":`. */
function yarnLock(text: string): NodeLock {
  const versions = new Map<string, string>();
  for (const entry of text.split(/\n(?=\S)/)) {
    const version = /^ {2}version:? "?([^"\n]+)"?$/m.exec(entry)?.[1];
    const [asked = ''] = entry.split('\n', 1);
    if (version === undefined || !asked.endsWith(':')) continue;
    for (const one of asked.slice(0, -1).replaceAll('"', '').split(', '))
      versions.set(one.replace('@npm:', '@'), version);
  }
  return { versionFor: (_folder, name, wanted) => versions.get(`${name}@${wanted}`) ?? null, installed: new Map() };
}
