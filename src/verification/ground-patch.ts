import { createHash } from 'node:crypto';
import type { GitCall } from '../git/process/git.ts';
import { treePatch } from '../git/tree-change.ts';
import { MAX_DISPUTED_CHARACTERS } from '../../machines/recorded-proof.ts';

/** What the work changed of its grounds. */
export interface GroundPatch {
  /** As people read it, cut. */
  readonly text: string;
  /** SHA-256 of all of it. */
  readonly digest: string;
}

/** The difference of the trees of both legs, which differ in changed grounds alone. Throws a `GitError`. */
export async function groundPatch(first: string, work: string, call: GitCall): Promise<GroundPatch> {
  const hash = createHash('sha256');
  for await (const part of treePatch({ from: first, to: work, leaveOut: [] }, call)) hash.update(part);
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of treePatch({ from: first, to: work, leaveOut: [] }, call, true, true)) {
    if (text.length < MAX_DISPUTED_CHARACTERS) text += decoder.decode(part, { stream: true });
  }
  return { text: text.slice(0, MAX_DISPUTED_CHARACTERS).toWellFormed(), digest: hash.digest('hex') };
}
