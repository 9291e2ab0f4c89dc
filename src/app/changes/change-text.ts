import { GitError, type GitCall } from '../../git/process/git.ts';
import { treePatch } from '../../git/tree-change.ts';

export interface Trees {
  /** Hashes. */
  readonly from: string;
  readonly to: string;
}

/**
 * The difference of two trees as text, as `git apply` takes it, or for people, where of binary files it only says that
 * they differ. Null where the repository has not both of them any more. It is read up to `maxBytes`, at a piece of git.
 */
export async function changeText(
  { from, to }: Trees,
  call: GitCall,
  { leaveOut, forPeople, maxBytes }: { leaveOut: readonly string[]; forPeople: boolean; maxBytes: number },
): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of treePatch({ from, to, leaveOut }, call, forPeople)) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= maxBytes) break;
    }
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}
