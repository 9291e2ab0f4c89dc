import type { RunState } from './fold.ts';
import { memoryDigest } from './memory-digest.ts';
import type { MachineSnapshot } from './step.ts';

/** The state of a machine as one word: `tools.running`, `decide.judging`, `success`. */
export function placeOf({ value }: MachineSnapshot): string {
  if (typeof value === 'string') return value;
  let place = places.get(value);
  if (place === undefined) {
    place = wordsOf(value);
    places.set(value, place);
  }
  return place;
}

/** By the values of snapshots: a compiled machine has one for each place. */
const places = new WeakMap<object, string>();

/** The machine's state, and how many effects are outstanding: `tools.running/2`. */
export const positionOf = ({ snapshot, outstanding }: Pick<RunState, 'snapshot' | 'outstanding'>): string =>
  `${placeOf(snapshot)}/${outstanding.length}`;

const MEMORY = '#';

/**
 * What an event is recorded with, as the envelope's `mark`: the position after it; for a decision, also what its
 * machine remembers then.
 */
export const markOf = (type: string, after: RunState): string =>
  type === 'decision.made' ? wholeMarkOf(after) : positionOf(after);

/** The mark of the last event that is recorded at once: a run that is left stays in that state. */
export const wholeMarkOf = (after: RunState): string => `${positionOf(after)}${MEMORY}${memoryDigest(after)}`;

/** The parts of a mark. `memory` is null where it was not recorded. */
export function partsOfMark(mark: string): { readonly position: string; readonly memory: string | null } {
  const at = mark.indexOf(MEMORY);
  if (at < 0) return { position: mark, memory: null };
  const end = mark.indexOf(MEMORY, at + 1);
  return { position: mark.slice(0, at), memory: mark.slice(at + 1, end < 0 ? undefined : end) };
}

function wordsOf(value: MachineSnapshot['value']): string {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .map(([name, inner]) => (inner === undefined ? name : `${name}.${wordsOf(inner)}`))
    .join('|');
}
