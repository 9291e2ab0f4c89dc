import type { Check, CheckSteps } from '../../../machines/settings.ts';
import { foldersOf, nameOf } from '../workspace-paths.ts';
import { MAKEFILES } from './make-recipe.ts';
import { stepsOf } from './steps-of.ts';

/** Names of the files that say what a check runs. */
const STEP_FILES: ReadonlySet<string> = new Set(['package.json', '.npmrc', '.yarnrc.yml', ...MAKEFILES]);

/** The most files that are read for what checks run: those in the upper folders come first. */
const MAX_FILES = 100;

/** Where checks run. */
export interface ReadTree {
  /** The folder, from the top. */
  readonly folder: string;
  readonly paths: Iterable<string>;
  /** Null: it cannot be read as text. */
  readonly read: (path: string) => Promise<string | null>;
}

/** The checks of several steps, as a tree says it. */
export async function readSteps(
  checks: readonly Check[],
  { folder, paths, read }: ReadTree,
): Promise<readonly CheckSteps[]> {
  const all = [...paths];
  const named = all.filter((path) => STEP_FILES.has(nameOf(path))).toSorted((one, other) => depth(one) - depth(other));
  const files = new Map<string, string>();
  for (const path of named.slice(0, MAX_FILES)) {
    const text = await read(path);
    if (text !== null) files.set(path, text);
  }
  // Recipes of make alone ask, and a large tree has many.
  let there: ReadonlySet<string> | null = null;
  const has = (path: string) => {
    there ??= new Set(all.flatMap((one) => [one, ...foldersOf(one)]));
    return there.has(path);
  };
  return checks.flatMap((check) => {
    const steps = stepsOf(check, folder, { files, has });
    return steps ? [{ check: check.name, steps: [...steps] }] : [];
  });
}

const depth = (path: string): number => path.split('/').length;
