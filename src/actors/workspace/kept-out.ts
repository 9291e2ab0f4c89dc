import { z } from 'zod';
import { askGit, type GitCall } from './git.ts';
import { keepJson, keptJson, runRef } from './run-refs.ts';

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
  if (leftOut.length === 0) {
    // A run that was resumed may have had some when it left before.
    await askGit(['update-ref', '-d', runRef(run, 'left-out')], call);
    return;
  }
  await keepJson(run, 'left-out', leftOut.slice(0, MAX_NAMED), call);
}

/** What the capture of a run's end leaves out. */
export async function leftOutOf(run: string, call: GitCall): Promise<readonly LeftOut[]> {
  return z.array(LeftOut).safeParse(await keptJson(run, 'left-out', call)).data ?? [];
}
