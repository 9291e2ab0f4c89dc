import type { RunState } from './fold.ts';
import type { MachineSnapshot } from './step.ts';

/** The state of a machine as one word: `tools.running`, `decide.judging`, `success`. */
export const placeOf = (snapshot: MachineSnapshot): string => wordsOf(snapshot.value);

/**
 * The position that an event is recorded with, as the envelope's `mark`: the machine's state after the event, and how
 * many effects are outstanding.
 */
export const positionOf = ({ snapshot, outstanding }: Pick<RunState, 'snapshot' | 'outstanding'>): string =>
  `${placeOf(snapshot)}/${outstanding.length}`;

function wordsOf(value: MachineSnapshot['value']): string {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .map(([name, inner]) => (inner === undefined ? name : `${name}.${wordsOf(inner)}`))
    .join('|');
}
