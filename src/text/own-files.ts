import { createHash } from 'node:crypto';

/** What runs themselves write into a workspace, as patterns of git from any folder: it is no work of theirs. */
export const OWN_FILES: readonly string[] = ['.loopfold', '.loopfold/**', '.claude/ralph-loop.local.md'];

// A file is written under a temporary name beside it, and renamed. A command can use such a name, too, so captures have
// files of these names, and no work can hide in one. Only those of the state files are left out, by their whole paths:
// they alone are written while a workspace is captured.

/** Whether a name is that of a temporary file of an unfinished write, also one that a killed process left. */
export const isDraft = (name: string): boolean => /^\.loopfold-[\da-f]{16}\.draft$/.test(name);

/** The same for the same effect, so that one that is started again after a crash clears up behind the one before. */
export const draftName = (name: string, effect: string): string =>
  `.loopfold-${createHash('sha256').update(`${name}\0${effect}`).digest('hex').slice(0, 16)}.draft`;

/** The files of a state directory. */
export const LOOP_STATE_FILE = 'loop-state.json';
export const METRICS_FILE = 'metrics.json';
/** In place of an effect, in the names of the temporary files of state files. */
export const STATE_WRITE = 'state';

/** All names that are written in a state directory. */
export const STATE_FILES: readonly string[] = [LOOP_STATE_FILE, METRICS_FILE].flatMap((name) => [
  name,
  draftName(name, STATE_WRITE),
]);
