import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is started as a thread of its own, and is found by its place. */
const WORKERS = 'src/**/*worker.ts';
const PROGRAM = 'src/cli/main.ts';

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

/** The door for hosts without Node: it shares no file with what needs more. */
export const KERNEL = 'src/kernel/index.ts';

/** The sources that are loaded by their place: the program, its threads, and what the package exports for Node. */
export function entriesOf(root: string): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const doors = Object.values(exports).flatMap((door) => (typeof door === 'string' ? [] : [sourceOf(door.default)]));
  return [PROGRAM, ...doors.filter((door) => door !== KERNEL), ...globSync(WORKERS, { cwd: root }).toSorted()];
}

/** `./dist/src/index.js` is built from `src/index.ts`. */
const sourceOf = (built: string): string => built.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts');
