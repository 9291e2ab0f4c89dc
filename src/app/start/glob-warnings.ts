import { worktreeFacts } from '../../git/git-worktree.ts';
import { listFiles } from '../../git/file-listing.ts';
import type { RunOptions } from '../../config/options.ts';
import { unmatched } from '../../evidence/classify-grounds.ts';
import { pathText } from '../../text/path-text.ts';

const MAX_GLOB_CHARACTERS = 200;

/** Warns of globs that protect or release nothing: a person who has mistyped one believes that their tests are safe. */
export async function unmatchedGlobs(
  { protect = [], unprotect = [] }: Pick<RunOptions, 'protect' | 'unprotect'>,
  directory: string,
): Promise<readonly string[]> {
  if (protect.length + unprotect.length === 0) return [];
  const [root] = (await worktreeFacts([], { directory })) ?? [];
  if (root === undefined) return [];
  const { files } = await listFiles({ directory: root });
  return Object.entries({ protect, unprotect }).flatMap(([option, globs]) =>
    unmatched(globs, files).map(
      (glob) =>
        `${option}: no file fits ${pathText(glob, MAX_GLOB_CHARACTERS)}. Globs are from the top of the repository; ` +
        'loopfold grounds shows what they fit.',
    ),
  );
}
