import { z } from 'zod';
import { askGit, git, type GitCall, gitLine } from './git.ts';
import { runRef } from './run-refs.ts';

/** More paths of one run are not named. */
const MAX_NAMED = 1_000;

/** A path that a capture leaves out although git does not ignore it, or that git has ignored only since. */
const LeftOut = z.strictObject({
  /** From the root. A folder ends in a slash: everything in it. */
  path: z.string(),
  /** For people. */
  because: z.string(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** Keeps what the capture of a run's end leaves out. */
export async function keepLeftOut(run: string, leftOut: readonly LeftOut[], call: GitCall): Promise<void> {
  const ref = runRef(run, 'left-out');
  if (leftOut.length === 0) {
    // A run that was resumed may have had some when it left before.
    await askGit(['update-ref', '-d', ref], call);
    return;
  }
  const input = new TextEncoder().encode(JSON.stringify(leftOut.slice(0, MAX_NAMED)));
  await git(['update-ref', ref, await gitLine(['hash-object', '-w', '--stdin'], { ...call, input })], call);
}

/** What the capture of a run's end leaves out. */
export async function leftOutOf(run: string, call: GitCall): Promise<readonly LeftOut[]> {
  const { exitCode, stdout } = await askGit(['cat-file', 'blob', runRef(run, 'left-out')], call);
  if (exitCode !== 0) return [];
  try {
    return z.array(LeftOut).safeParse(JSON.parse(new TextDecoder().decode(stdout))).data ?? [];
  } catch {
    return [];
  }
}
