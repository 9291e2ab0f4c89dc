import { CONVENTIONS } from './ground-patterns.ts';
import { isCode, namedIn } from './files-in-configuration.ts';
import { fitsAny } from './path-globs.ts';
import { nameOf } from './workspace-paths.ts';

/** More files of configuration are not read. */
const MAX_CONFIGURATION_FILES = 500;

export interface NamedInConfiguration {
  /** The configuration file that names a file. */
  readonly files: ReadonlyMap<string, string>;
  /** Configuration that is code: what it computes was not seen. */
  readonly code: readonly string[];
  /** Configuration that was not read. */
  readonly unread: readonly string[];
}

/**
 * The files that the configuration of JavaScript tools names, and those that these name in turn. `read` gives the text
 * of a file, or null where it cannot or should not be read.
 */
export async function followConfiguration(
  paths: ReadonlySet<string>,
  read: (path: string) => Promise<string | null>,
): Promise<NamedInConfiguration> {
  const files = new Map<string, string>();
  const code: string[] = [];
  const unread: string[] = [];
  // Each with the file whose kind of configuration it is. Parts are added while the map is walked.
  const kinds = new Map([...paths].filter(isConfiguration).map((path) => [path, path] as const));
  let count = 0;
  for (const [path, kind] of kinds) {
    count += 1;
    const text = count > MAX_CONFIGURATION_FILES ? null : await read(path);
    if (text === null) {
      unread.push(path);
      continue;
    }
    if (isCode(path)) code.push(path);
    const named = namedIn(path, text, paths, kind);
    const byGlob = named.globs.length === 0 ? [] : [...paths].filter(fitsAny(named.globs));
    for (const file of [...named.files, ...byGlob]) if (!files.has(file) && file !== path) files.set(file, path);
    for (const part of named.parts) if (!kinds.has(part)) kinds.set(part, kind);
  }
  return { files, code, unread };
}

const isOfTool = fitsAny(
  CONVENTIONS.filter(({ ecosystem, reason }) => ecosystem === 'javascript' && reason === 'configuration').flatMap(
    ({ globs }) => globs,
  ),
);

const isConfiguration = (path: string): boolean => nameOf(path) === 'package.json' || isOfTool(path);
