/**
 * What runs themselves write into a workspace, as patterns of git from any folder: it is no work of theirs. Anything
 * else in a folder `.loopfold` is of people, such as their agents. Logs of another name are hidden by its `.gitignore`.
 */
export const OWN_FILES: readonly string[] = [
  '.loopfold/.gitignore',
  '.loopfold/*.db*',
  '.loopfold/*.db*/**',
  '.loopfold/worktrees/**',
  '.loopfold-*.draft',
  '.claude/ralph-loop.local.md',
];

/** The name of a temporary file of an unfinished write, by 16 hexadecimal digits. */
export const draftOf = (digits: string): string => `.loopfold-${digits}.draft`;

/** Whether a name is that of a temporary file of an unfinished write, also one that a killed process left. */
export const isDraft = (name: string): boolean => /^\.loopfold-[\da-f]{16}\.draft$/.test(name);

/** The files of a state directory. */
export const LOOP_STATE_FILE = 'loop-state.json';
export const METRICS_FILE = 'metrics.json';
