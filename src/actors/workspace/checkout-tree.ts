import { copyFile, lstat, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { git, type GitCall } from './git.ts';

/** How many files are copied at the same time. */
const MAX_COPIES = 16;
/** Processes that write the files of one checkout. A file system gains little by more. */
const MAX_WORKERS = 8;

/**
 * Writes the files of `HEAD` into its worktree. Filters of the user are commands, and run none here: the files that
 * they would write are copied from `origin`, where they are as the user sees them. Returns the paths of those that are
 * missing there: they hold what git stores instead.
 */
export async function checkOutHead(
  top: string,
  { filters, origin }: { readonly filters: readonly string[]; readonly origin: string | null },
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const call: GitCall = { directory: top, settings: [workers(), ...filters.flatMap(withoutFilter)], signal };
  await git(['read-tree', '--reset', '-u', 'HEAD'], call);
  const paths = filters.length === 0 ? [] : await filteredPaths(filters, call);
  const missing: string[] = [];
  for (let at = 0; at < paths.length; at += MAX_COPIES) {
    const copied = paths.slice(at, at + MAX_COPIES).map(async (path) => {
      if (origin === null || !(await copiedFile(join(origin, path), join(top, path)))) missing.push(path);
    });
    await Promise.all(copied);
  }
  return missing;
}

/** Git itself takes one, whatever the machine has. For a few files it stays with that. */
const workers = () => `checkout.workers=${Math.min(availableParallelism(), MAX_WORKERS)}`;

const withoutFilter = (name: string) => [
  `filter.${name}.smudge=`,
  `filter.${name}.clean=`,
  `filter.${name}.process=`,
  `filter.${name}.required=false`,
];

async function filteredPaths(filters: readonly string[], call: GitCall): Promise<readonly string[]> {
  // A name with other characters cannot be asked for this way; git would refuse it in `.gitattributes` too.
  const names = filters.filter((name) => /^[\w.-]+$/.test(name));
  const listed = await git(['ls-files', '-z', '--', ...names.map((name) => `:(top,attr:filter=${name})`)], call);
  return names.length === 0
    ? []
    : new TextDecoder()
        .decode(listed)
        .split('\0')
        .filter((path) => path !== '');
}

/** False where there is no such file. A link is left as git has written it. */
async function copiedFile(from: string, to: string): Promise<boolean> {
  const [source, target] = await Promise.all([from, to].map((path) => lstat(path).catch(() => null)));
  if (!target?.isFile()) return true;
  if (!source?.isFile()) return false;
  await rm(to);
  await copyFile(from, to);
  return true;
}
