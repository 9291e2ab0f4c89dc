import { textOf } from '../git/object-text.ts';
import type { GitCall } from '../git/process/git.ts';
import { fitsAllowed } from '../evidence/grounds-allowance.ts';
import { type Classified, groundsAmong } from '../evidence/classify-grounds.ts';
import { followConfiguration } from '../evidence/follow-configuration.ts';
import { includedBy, isMakefile } from '../evidence/make-includes.ts';
import { isKeyed } from '../evidence/key-grounds.ts';
import { namedInChecks, type NamingCheck } from '../evidence/files-in-checks.ts';
import { isFile } from '../evidence/tree-entry.ts';
import type { NamedEntries } from './trees-by-path.ts';

export interface BaseRules {
  readonly checks: readonly NamingCheck[];
  /** The folder that checks run in, from the top. */
  readonly folder: string;
  readonly protect: readonly string[];
  readonly unprotect: readonly string[];
  /** Globs of grounds whose changes count. */
  readonly allowed?: readonly string[] | undefined;
}

/** More of them are not looked through for what they include. */
const MAX_MAKEFILES = 200;

export interface BaseGrounds extends Classified {
  /** The checks that run nothing of what they look at. */
  readonly reading: ReadonlySet<string>;
  /** The words of the program by which each of them reads. */
  readonly readers: ReadonlyMap<string, readonly string[]>;
  /** The checks that compile or lint. */
  readonly linting: ReadonlySet<string>;
}

/**
 * What the checks of a run rest on, among the files of its start and those of its end. What checks and configuration
 * name is what they named at its start: the work has no say in it.
 */
export async function baseGrounds(
  base: NamedEntries,
  work: NamedEntries,
  { checks, folder, protect, unprotect, allowed = [] }: BaseRules,
  call: GitCall,
): Promise<BaseGrounds> {
  const paths = new Set(base.keys());
  const packages = new Map<string, string>();
  const read = async (path: string): Promise<string | null> => {
    const entry = base.get(path);
    const text = isFile(entry) ? await textOf(entry.hash, call) : null;
    if (text !== null && isKeyed(path)) packages.set(path, text);
    return text;
  };
  const configuration = await followConfiguration(paths, read);
  const named = namedInChecks({ checks, folder, paths, packages });
  const included = new Map<string, string>();
  for (const path of [...paths].filter(isMakefile).slice(0, MAX_MAKEFILES))
    for (const file of includedBy(path, (await read(path)) ?? '')) included.set(file, path);
  const rules = {
    protect,
    unprotect,
    checks: named.files,
    configuration: new Map([...included, ...configuration.files]),
  };
  const { grounds, released } = groundsAmong(new Set([...paths, ...work.keys()]), rules);
  const isAllowed = fitsAllowed(allowed);
  return {
    grounds: new Map([...grounds].filter(([path]) => !isAllowed(path))),
    released,
    reading: named.reading,
    readers: named.readers,
    linting: named.linting,
  };
}
