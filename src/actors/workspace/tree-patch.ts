import { type GitCall, gitStream } from './git.ts';
import { exceptFor } from './log-names.ts';

/** No setting, attribute or program of the user changes how the patch is written. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];

/** More lines than any file has. */
const ALL_LINES = 1_000_000_000;

/**
 * The difference of two trees as `git apply` takes it, binary files included, byte for byte, while git prints it: it
 * may be larger than what fits into memory. Throws a `GitError`, before which it is not whole. `forPeople`: in place of
 * the content of a binary file, only that it differs. `showsMoves`: of a file that moved, only what changed, which `git
 * apply` does not need. `leaveOut`: names from the root that are not in it.
 */
export function treePatch(
  { from, to, leaveOut }: { from: string; to: string; leaveOut: readonly string[] },
  call: GitCall,
  forPeople = false,
  showsMoves = false,
): AsyncIterable<Uint8Array> {
  const moves = [showsMoves ? '--find-renames' : '--no-renames'];
  const whole = forPeople ? [] : ['--binary', '--full-index'];
  return gitStream(['diff-tree', '-r', '-p', ...PLAIN, ...moves, ...whole, from, to, ...exceptFor(leaveOut)], call);
}

/** The same with the whole text of each changed file, also of those that git takes for binary. */
export const wholeFilesPatch = ({ from, to }: { from: string; to: string }, call: GitCall): AsyncIterable<Uint8Array> =>
  gitStream(['diff-tree', '-r', '-p', ...PLAIN, '--text', `--unified=${ALL_LINES}`, from, to], call);
