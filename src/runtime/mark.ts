import type { RunState } from './fold.ts';
import type { MachineSnapshot } from './step.ts';

/** Where a machine stands, as one word: `tools.running`, `decide.ending.farewell`, `success`. */
export const placeOf = (snapshot: MachineSnapshot): string => wordsOf(snapshot.value);

/** What the writer of an event says beside it of the state that it led to: the place, and how many effects owe an answer. */
export const markOf = ({ snapshot, outstanding }: Pick<RunState, 'snapshot' | 'outstanding'>): string =>
  `${placeOf(snapshot)}/${outstanding.length}`;

function wordsOf(value: MachineSnapshot['value']): string {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .map(([name, inner]) => (inner === undefined ? name : `${name}.${wordsOf(inner)}`))
    .join('|');
}
