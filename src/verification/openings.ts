import { type HeldOutFiles, HeldOutChangedError, layOver } from '../actors/proof/held-out-files.ts';

/** What the checks of a leg are let to beside what a proof gives them: to learn what they lack, or to hold an exam. */
export interface Openings {
  /** Files and folders that git ignores, from the top of the workspace. */
  readonly ignored: readonly string[];
  /** What they may read of the home: paths from there. */
  readonly homePaths: readonly string[];
  readonly network: boolean;
  /** Files that are laid over the checkout. */
  readonly over?: HeldOutFiles;
}

/** A leg as a proof goes by it. */
export const CLOSED: Openings = { ignored: [], homePaths: [], network: false };

/** Lays its files over a checkout. Throws a `HeldOutChangedError` where one is not what it was. */
export async function layHeldOut({ over }: Openings, top: string): Promise<void> {
  if (over && !(await layOver(over, top))) throw new HeldOutChangedError(over.from);
}
