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
const DEFAULT_FIXED_ITERATIONS = 3;
export const DEFAULT_BASE_ITERATIONS = 3;
export const DEFAULT_BONUS_ITERATIONS = 2;
const DEFAULT_RALPH_ITERATIONS = 10;

/** How many iterations a strategy gets where nobody says: null is as many as the ceiling allows. */
export function strategyCap({ name, config }: { readonly name: string; readonly config: unknown }): number | null {
  if (name === DEFAULT_STRATEGY) return DEFAULT_FIXED_ITERATIONS;
  if (name === 'ralph') return DEFAULT_RALPH_ITERATIONS;
  if (name !== 'hybrid') return null;
  const number = (field: string, otherwise: number) => {
    const value: unknown = typeof config === 'object' && config !== null ? Reflect.get(config, field) : undefined;
    return Number.isSafeInteger(value) ? Number(value) : otherwise;
  };
  const most = number('baseIterations', DEFAULT_BASE_ITERATIONS) + number('maxBonusIterations', DEFAULT_BONUS_ITERATIONS);
  return Math.max(1, most);
}
/** What notices loops where nobody says. */
export const DEFAULT_DETECTORS: readonly string[] = ['default'];
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
/** Every tool that can be named. To hand work over costs more than one run: it is had only by whoever asks for it. */
export const KNOWN_TOOLS: readonly string[] = [...DEFAULT_TOOLS, 'delegate'];
