/** What runs themselves write into a workspace, as patterns of git from any folder: it is no work of theirs. */
export const OWN_FILES: readonly string[] = [
  '.loopfold',
  '.loopfold/**',
  '.loopfold-*.draft',
  '.claude/ralph-loop.local.md',
];
/** The files of a state directory. */
export const LOOP_STATE_FILE = 'loop-state.json';
export const METRICS_FILE = 'metrics.json';
