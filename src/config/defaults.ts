/** Hard ceilings over what a person may ask for; null is no ceiling. Only code that embeds the library moves them. */
export interface Ceilings {
  readonly steps: number | null;
  readonly iterations: number | null;
}

const MAX_STEPS = 200;
const MAX_ITERATIONS = 100;
export const CEILINGS: Ceilings = { steps: MAX_STEPS, iterations: MAX_ITERATIONS };

export const DEFAULT_TOOL_CALLS = 50;
export const DEFAULT_STRATEGY = 'fixed';
/** How many iterations a strategy gets where nobody says. One that is not listed gets the ceiling. */
export const DEFAULT_ITERATIONS: ReadonlyMap<string, number> = new Map([[DEFAULT_STRATEGY, 3]]);
export const DEFAULT_GRACE_MS = 10_000;
/** A parent waits this much longer than its child for last words, so that the child can say them. */
export const CHILD_GRACE_HEAD_START_MS = 5_000;
export const DEFAULT_CHECK_TIMEOUT_MS = 600_000;
/** The name under which a host finds the model of a run that names none. */
export const DEFAULT_MODEL = 'default';
export const DEFAULT_TOOLS: readonly string[] = [
  'read',
  'list',
  'glob',
  'grep',
  'edit',
  'multi_edit',
  'write',
  'shell',
  'finish',
  'ask_user',
  'request_read_access',
];
