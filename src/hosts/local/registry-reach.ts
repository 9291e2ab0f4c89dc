import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { NetworkReach } from '../../../machines/command-reach.ts';
import {
  addressedHosts,
  CERTIFICATE_VARIABLES,
  ecosystemsOf,
  registryLines,
  withoutCredentials,
} from '../../evidence/registries.ts';
import { homeOfPerson } from '../../verification/proof-places.ts';

const MAX_SETTINGS_BYTES = 64 * 1024;

/**
 * The reach of commands that install packages of a workspace: the public registries of its ecosystems, and those that
 * the person has set for them. The files of the workspace name none: who wrote them is not known.
 */
async function registryReach(top: string): Promise<readonly string[]> {
  const found = ecosystemsOf(await readdir(top).catch(() => []));
  const said = await Promise.all(
    found.map(async ({ variables, settings }) => {
      const texts = await Promise.all(settings.map(async (path) => registryLines(await settingsAt(path))));
      return addressedHosts([...variables.map((name) => process.env[name] ?? ''), ...texts].join('\n'));
    }),
  );
  return [...new Set([...found.flatMap(({ hosts }) => hosts), ...said.flat()])];
}

/** A reach that is written with `registries`, as one that says which those are. */
export async function resolvedReach(reach: NetworkReach | undefined, top: string): Promise<NetworkReach> {
  const wanted = reach ?? 'registries';
  if (wanted === 'none' || wanted === 'all') return wanted;
  const entries = await Promise.all(
    wanted.split(',').map((entry) => (entry === 'registries' ? registryReach(top) : [entry])),
  );
  return [...new Set(entries.flat())].join(',') || 'none';
}

/** The settings of a home that say where packages come from, by their paths from there, without what is secret. */
export async function registrySettings(top: string): Promise<Readonly<Record<string, string>>> {
  const paths = ecosystemsOf(await readdir(top).catch(() => [])).flatMap(({ settings }) => settings);
  const inHome = paths.filter((path) => path.startsWith('~/'));
  const read = await Promise.all(
    inHome.map(async (path) => [path.slice('~/'.length), registryLines(await settingsAt(path))] as const),
  );
  return Object.fromEntries(read.filter(([, text]) => text.trim() !== ''));
}

/** The text of a file of settings; empty where there is none. */
async function settingsAt(path: string): Promise<string> {
  const place = path.startsWith('~/') ? join(homeOfPerson(), path.slice('~/'.length)) : path;
  return (await readFile(place, 'utf8').catch(() => '')).slice(0, MAX_SETTINGS_BYTES);
}

/** The variables of the person that say where packages come from and name certificates, without what is secret. */
export async function registryVariables(top: string): Promise<Readonly<Record<string, string>>> {
  const found = ecosystemsOf(await readdir(top).catch(() => []));
  const set = [...CERTIFICATE_VARIABLES, ...found.flatMap(({ variables }) => variables)].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, withoutCredentials(value)] as const];
  });
  return Object.fromEntries(set);
}
