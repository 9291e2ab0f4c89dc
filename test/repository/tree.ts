import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './tool.ts';

/** Paths relative to the top, with their text. */
export type Tree = ReadonlyMap<string, string>;

/** Every file that git tracks here and that is still there. */
export function trackedTree(): Tree {
  // A clone that belongs to another user is read all the same: nothing in it is run.
  const listed = run('git', ['-c', 'safe.directory=*', 'ls-files', '-z'], root);
  if (listed.status !== 0) throw new Error(`git cannot list this repository: ${listed.output}`);
  const paths = listed.stdout.split('\0').filter((path) => path !== '' && isFile(path));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

const isFile = (path: string): boolean => existsSync(join(root, path)) && statSync(join(root, path)).isFile();
