import { withEvidence } from './evidence-ids.ts';
import type { Observed } from './observation.ts';

/** Which tests and errors were red, and for how many results in a row nothing about them was new. */
export interface Outcomes {
  /** The newest outcomes, in short; of the newest last. */
  readonly known: readonly string[];
  /** Results in a row that showed a known outcome, the first of them included. */
  readonly count: number;
  /** The calls that showed them. */
  readonly actions: readonly string[];
  /** Those that have shown a red one in this row, in short: a good result of such a call is progress. */
  readonly red: readonly string[];
  readonly evidence: readonly string[];
}

export const NO_OUTCOMES: Outcomes = { known: [], count: 0, actions: [], red: [], evidence: [] };

const MAX_KNOWN = 100;
const MAX_ACTIONS = 8;
const ACTION_CHARS = 16;
const MAX_EVIDENCE = 20;

/** The outcomes after the calls of one answer. */
export function withOutcome(before: Outcomes, observed: readonly Observed[]): Outcomes {
  // What a call waits for may be red as long as it waits.
  const reds = observed.filter(({ outcome, isPolling }) => outcome !== null && !isPolling);
  const turnedGreen = observed.some(
    ({ action, outcome, isBad }) => outcome === null && !isBad && before.red.includes(action.slice(0, ACTION_CHARS)),
  );
  if (reds.length === 0 && turnedGreen) return { ...NO_OUTCOMES, known: before.known };
  if (reds.length === 0) return observed.some(isLike(before)) ? { ...before, count: before.count + 1 } : before;
  const isNews = turnedGreen || reds.some(({ outcome }) => !before.known.includes(outcome ?? ''));
  const known = reds.reduce((all, { outcome }) => newest(all, outcome ?? '', MAX_KNOWN), before.known);
  const row = isNews ? { ...NO_OUTCOMES, known } : { ...before, known };
  return {
    known,
    count: row.count + 1,
    actions: reds.reduce((all, { action }) => newest(all, action, MAX_ACTIONS), row.actions),
    red: reds.reduce((all, { action }) => newest(all, action.slice(0, ACTION_CHARS), MAX_ACTIONS), row.red),
    evidence: reds.reduce((all, { evidence: [, answered] }) => withEvidence(all, answered, MAX_EVIDENCE), row.evidence),
  };
}

/** A refused call of the row counts like the one that it repeats. */
const isLike =
  ({ actions }: Outcomes) =>
  ({ isRefused, action }: Observed): boolean =>
    isRefused && actions.includes(action);

const newest = (all: readonly string[], one: string, most: number): readonly string[] =>
  [...all.filter((other) => other !== one), one].slice(-most);
