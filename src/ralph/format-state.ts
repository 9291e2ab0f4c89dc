import type { RalphState } from './ralph-state.ts';
import { STATE_KEYS } from './state-keys.ts';

/**
 * The text of a state file: YAML between two lines `---`, an empty line, and the prompt as it was given.
 * `parseRalphState` returns the same state.
 *
 * @example
 * formatRalphState(state);
 * // ---
 * // active: true
 * // iteration: 2
 * // …
 * // ---
 * //
 * // Make the tests pass.
 */
export function formatRalphState(state: RalphState): string {
  const lines = STATE_KEYS.flatMap(([key, field]) => {
    const value = state[field];
    return value === undefined ? [] : [`${key}: ${scalar(value)}`];
  });
  return ['---', ...lines, '---', '', state.originalPrompt, ''].join('\n');
}

/** JSON is YAML, but for characters that YAML takes for the end of a line or does not print. */
const scalar = (value: string | number | boolean | null): string =>
  JSON.stringify(value).replace(
    /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
