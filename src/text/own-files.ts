/** What runs themselves write into a workspace, as patterns of git from any folder: it is no work of theirs. */
export const OWN_FILES: readonly string[] = [
  '.loopfold',
  '.loopfold/**',
  '.loopfold-*.draft',
  '.claude/ralph-loop.local.md',
];

/** Whether a name is that of a temporary file of an unfinished write, also one that a killed process left. */
export const isDraft = (name: string): boolean => /^\.loopfold-[\da-f]{16}\.draft$/.test(name);

/** The files of a state directory. */
export const LOOP_STATE_FILE = 'loop-state.json';
export const METRICS_FILE = 'metrics.json';
