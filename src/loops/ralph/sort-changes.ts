import type { StateChanges } from '../../../machines/ralph-facts.ts';

/** Of words in a row that are compared. Two are common to many texts. */
const WORDS = 3;

/** Every list has those: they are no words. */
const LIST_MARKERS = /^[^\S\r\n\u2028\u2029]*(?:[-*+]|\d+[.)])\s/gm;

/** Before the first word of a text, and after its last. No word of a text has a space in it. */
const [START, END] = [' start', ' end'];

/**
 * Whether a task still has something of an edit in it: words in a row, as that edit has left them and as they were not
 * before. What was taken out leaves such words, too. White space does not count: editors change it when they save.
 */
function isStillIn(task: string, edited: string, before: string): boolean {
  const known = new Set(rowsIn(before));
  const found = new Set(rowsIn(task));
  return rowsIn(edited).some((row) => !known.has(row) && found.has(row));
}

function rowsIn(text: string): string[] {
  const words = [START, ...text.normalize('NFC').replaceAll(LIST_MARKERS, ' ').split(/\s+/).filter(Boolean), END];
  const last = Math.max(0, words.length - WORDS);
  return Array.from({ length: last + 1 }, (_, at) => words.slice(at, at + WORDS).join(' '));
}

/** What a state file says and the run does not follow. It lies there until the run writes the file again. */
export interface LeftInFile {
  /** What the agent may have written: a person has not ruled on it yet. */
  readonly held: StateChanges;
  /** What is no edit any more: a person has ruled against it, or it is the number of the iteration before. */
  readonly settled: StateChanges;
}

export const NOTHING_LEFT: LeftInFile = { held: {}, settled: {} };

/** The changes of a file against what is in force. A change that is settled is in neither. */
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
 * Pure. A person who writes exactly what is held cannot be told from one who has left it. `task`: the one in force.
 */
export function sortChanges(changes: StateChanges, left: LeftInFile, task: string): SortedChanges {
  const { held, settled } = left;
  const sorted = { held: {}, fresh: {} };
  for (const field of FIELDS) {
    const value = changes[field];
    if (value === undefined || value === settled[field]) continue;
    const isHeld = value === held[field] || (field === 'originalPrompt' && hasOfAgent(changes, left, task));
    Object.assign(isHeld ? sorted.held : sorted.fresh, { [field]: value });
  }
  return sorted;
}

/**
 * A task has many lines, and a person who changes one of them, or whose editor takes spaces from their ends, answers
 * for no other. It waits as a whole while it has something of the agent's in it: what is held, or what was denied.
 */
const hasOfAgent = ({ originalPrompt }: StateChanges, { held, settled }: LeftInFile, task: string): boolean =>
  originalPrompt !== undefined &&
  [held, settled].some(({ originalPrompt: theirs }) => theirs !== undefined && isStillIn(originalPrompt, theirs, task));

/** What lies in a file once a person has ruled against what is held there. */
export const leftAfterDenial = ({ held, settled }: LeftInFile): LeftInFile => ({
  held: {},
  settled: { ...settled, ...held },
});

/**
 * The same once changes count: nothing is held, and these fields are settled no more. The number of an iteration is:
 * the next one has another number before the file says so.
 */
export function leftAfterChange({ settled }: LeftInFile, changes: StateChanges): LeftInFile {
  const others = Object.entries(settled).filter(([field]) => changes[field as Field] === undefined);
  return { held: {}, settled: { ...Object.fromEntries(others), ...numbered(changes.iteration) } };
}

/** What lies in a file that was written for an iteration. */
export const leftAfterWriting = (iteration: number): LeftInFile => ({ held: {}, settled: numbered(iteration) });

const numbered = (iteration: number | undefined): StateChanges => (iteration === undefined ? {} : { iteration });
