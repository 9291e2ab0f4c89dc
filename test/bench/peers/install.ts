import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const cache = join(here, '../../../node_modules/.cache/loopfold-peers');
const PROGRAMS = ['mastra.mjs', 'langgraph.mjs'];
/** Written when everything is there. */
const DONE = '.installed';

/**
 * Installs the other projects, as the lockfile beside this file has them, into a folder of their own; our own
 * dependencies stay as they are. A second call finds them. Needs the network. Returns the folder.
 */
export function installPeers(): string {
  const lockfile = readFileSync(join(here, 'package-lock.json'));
  const folder = join(cache, createHash('sha256').update(lockfile).digest('hex').slice(0, 16));
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', ...PROGRAMS])
    copyFileSync(join(here, file), join(folder, file));
  if (existsSync(join(folder, DONE))) return folder;
  // Every package comes with what it needs: no script of any of them has to run.
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  writeFileSync(join(folder, DONE), '');
  return folder;
}
