import { join } from 'node:path';
import { boundedRead, type FileText } from './read-within.ts';
import { CONFIG_NAMES } from './config-names.ts';
import { exists } from './places.ts';

const MAX_CONFIG_BYTES = 1_000_000;

/** A configuration file as it was found. None of its code has run. */
export interface ConfigFile extends FileText {
  readonly path: string;
  readonly folder: string;
  /** The value of a JSON file; null where the file is code that has to run first. */
  readonly json: { readonly value: unknown } | null;
}

export type Search =
  | { readonly kind: 'none' }
  | { readonly kind: 'file'; readonly file: ConfigFile }
  | { readonly kind: 'refused'; readonly problem: string };

/** The configuration file of the first folder that has one. */
export async function findConfig(folders: readonly string[]): Promise<Search> {
  for (const folder of folders) {
    const search = await configIn(folder);
    if (search.kind !== 'none') return search;
  }
  return { kind: 'none' };
}

async function configIn(folder: string): Promise<Search> {
  const present = await Promise.all(CONFIG_NAMES.map((name) => exists(join(folder, name))));
  const [path, ...others] = CONFIG_NAMES.filter((_name, index) => present[index]).map((name) => join(folder, name));
  if (path === undefined) return { kind: 'none' };
  if (others.length > 0)
    return refused(`${[path, ...others].join(' and ')}: a folder has one of them. Remove the others.`);
  const read = await boundedRead(path, MAX_CONFIG_BYTES);
  if (read.kind === 'unread') return refused(`${path} ${read.why}`);
  if (!path.endsWith('.json')) return { kind: 'file', file: { ...read, path, folder, json: null } };
  try {
    return { kind: 'file', file: { ...read, path, folder, json: { value: JSON.parse(read.text) } } };
  } catch (error) {
    return refused(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const refused = (problem: string): Search => ({ kind: 'refused', problem });
