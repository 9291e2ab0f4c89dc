import { z } from 'zod';
import { LeftOut } from '../../../machines/events.ts';
import { askGit, type GitCall } from './git.ts';
import { keepJson, keptJson, runRef } from './run-refs.ts';

/** More paths of one run are not named. */
const MAX_NAMED = 1_000;

/** Keeps what the capture of a run's end leaves out, or, until it has one, that of its start. */
export async function keepLeftOut(run: string, leftOut: readonly LeftOut[], call: GitCall): Promise<void> {
  if (leftOut.length === 0) {
    // A run that was resumed may have had some when it left before.
    await askGit(['update-ref', '-d', runRef(run, 'left-out')], call);
    return;
  }
  await keepJson(run, 'left-out', leftOut.slice(0, MAX_NAMED), call);
}

/** Adds to what the capture of a run's end leaves out. First: only so many of them are kept and named. */
export async function keepMoreLeftOut(run: string, more: readonly LeftOut[], call: GitCall): Promise<void> {
  await keepLeftOut(run, [...more, ...(await leftOutOf(run, call))], call);
}

/** What the capture of a run's end leaves out. */
export async function leftOutOf(run: string, call: GitCall): Promise<readonly LeftOut[]> {
  return z.array(LeftOut).safeParse(await keptJson(run, 'left-out', call)).data ?? [];
}
