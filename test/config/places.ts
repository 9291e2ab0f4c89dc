import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { type LoadedConfig, loadConfig, type Surroundings } from '../../src/config/load-config.ts';

/** A folder with these files, gone after the test. `.git` is an empty folder where a file of it is named. */
export async function folderWith(files: Readonly<Record<string, string | object>> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'loopfold-config-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** The configuration of a folder whose user has nothing and trusts everything, unless it is said. */
export const configOf = (directory: string, how: Partial<Surroundings> = {}): Promise<LoadedConfig> =>
  loadConfig({
    directory,
    cwd: directory,
    env: { HOME: join(directory, 'nobody') },
    flags: {},
    isStrict: true,
    remembersUse: true,
    trust: async () => 'read',
    ...how,
  });

/** What must have been loaded. */
export async function valuesOf(loading: Promise<LoadedConfig>): Promise<Config> {
  const loaded = await loading;
  if (loaded.kind === 'loaded') return loaded.config.values;
  throw new Error(JSON.stringify(loaded));
}

/** Why nothing was loaded. */
export async function problemsOf(loading: Promise<LoadedConfig>): Promise<readonly string[]> {
  const loaded = await loading;
  return loaded.kind === 'refused' ? loaded.problems : [];
}
