import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { folderOfRun } from '../support/bundled.ts';
import { type Installed, installedIn } from './installed.ts';

// Beside the bundle: a package looks for a Node in the folders above it, and the bundle has one.
const home = folderOfRun('installed');
const result = join(home, 'result.json');
const LOOK_EVERY_MS = 200;

type Result =
  | { readonly kind: 'installed'; readonly installed: Installed }
  | { readonly kind: 'failed'; readonly because: string };

/**
 * The package as it is installed from its own tarball, once for all tests of a run: the first that asks installs it,
 * and others wait. It is gone with the run. Tests write into the project under names of their own.
 */
export async function sharedInstallation(): Promise<Installed> {
  if (isFirst()) writeFileSync(result, JSON.stringify(await attempted()));
  while (!existsSync(result)) await delay(LOOK_EVERY_MS);
  const said = JSON.parse(readFileSync(result, 'utf8')) as Result;
  if (said.kind === 'failed') throw new Error(said.because);
  return said.installed;
}

/** A folder is made by one process only. */
function isFirst(): boolean {
  try {
    mkdirSync(home);
    return true;
  } catch {
    return false;
  }
}

const attempted = (): Promise<Result> =>
  installedIn(home).then(
    (installed) => ({ kind: 'installed', installed }) as const,
    (error: Error) => ({ kind: 'failed', because: error.message }) as const,
  );
