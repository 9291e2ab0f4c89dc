/** Hard ceilings over what a user may configure; null is no ceiling. Only code that embeds the library changes them. */
export interface Ceilings {
  readonly steps: number | null;
  readonly iterations: number | null;
}

const MAX_STEPS = 200;
const MAX_ITERATIONS = 100;
export const CEILINGS: Ceilings = { steps: MAX_STEPS, iterations: MAX_ITERATIONS };

export const DEFAULT_TOOL_CALLS = 50;
/** Calls of one answer that run at once. */
export const DEFAULT_PARALLEL_CALLS = 8;
export const DEFAULT_GRACE_MS = 10_000;
/** A parent waits this much longer than its child, so that the child can record its last results. */
export const CHILD_GRACE_HEAD_START_MS = 5_000;
export const DEFAULT_CHECK_TIMEOUT_MS = 600_000;
/** The name under which a host finds the model of a run that names none. */
export const DEFAULT_MODEL = 'default';

/** Folders of installed dependencies, as package managers name them: an isolated run gets those that git ignores. */
export const DEPENDENCY_FOLDERS: readonly string[] = ['node_modules', '.venv', 'venv', 'vendor'];
