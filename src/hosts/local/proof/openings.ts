/** What the checks of a leg are let to beside what a proof gives them: to learn what they lack. */
export interface Openings {
  /** Files and folders that git ignores, from the top of the workspace. */
  readonly ignored: readonly string[];
  /** What they may read of the home: paths from there. */
  readonly homePaths: readonly string[];
  readonly network: boolean;
}

/** A leg as a proof goes by it. */
export const CLOSED: Openings = { ignored: [], homePaths: [], network: false };
