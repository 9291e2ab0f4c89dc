import type { StateChanges } from '../../../machines/ralph-facts.ts';

/** What a state file says and the run does not follow. It lies there until the run writes the file again. */
export interface LeftInFile {
  /** What the agent may have written: a person has not ruled on it yet. */
  readonly held: StateChanges;
  /** The same, and a person has ruled against it. */
  readonly denied: StateChanges;
}

export const NOTHING_LEFT: LeftInFile = { held: {}, denied: {} };

/** The changes of a file against what is in force. A change that was denied is in neither. */
export interface SortedChanges {
  /** They have the values that are held: whatever else has changed in the file, these are still the agent's. */
  readonly held: StateChanges;
  /** Nothing that was found before explains these: the newest change of the file has brought them. */
  readonly fresh: StateChanges;
}

type Field = Exclude<keyof StateChanges, 'active'>;
const FIELDS: readonly Field[] = ['iteration', 'maxIterations', 'completionPromise', 'originalPrompt'];

/**
 * Sorts the changes of a file field by field, so that a person who changes one line does not answer for the others.
 * Pure. A person who writes exactly what is held cannot be told from one who has left it.
 */
export function sortChanges(changes: StateChanges, { held, denied }: LeftInFile): SortedChanges {
  const sorted = { held: {}, fresh: {} };
  for (const field of FIELDS) {
    const value = changes[field];
    if (value === undefined || value === denied[field]) continue;
    Object.assign(value === held[field] ? sorted.held : sorted.fresh, { [field]: value });
  }
  return sorted;
}

/** What lies in a file once a person has ruled against what is held there. */
export const leftAfterDenial = ({ held, denied }: LeftInFile): LeftInFile => ({
  held: {},
  denied: { ...denied, ...held },
});

/** The same once changes count: nothing is held, and of these fields nothing is denied any more. */
export function leftAfterChange({ denied }: LeftInFile, changes: StateChanges): LeftInFile {
  const others = Object.entries(denied).filter(([field]) => changes[field as Field] === undefined);
  return { held: {}, denied: Object.fromEntries(others) };
}
