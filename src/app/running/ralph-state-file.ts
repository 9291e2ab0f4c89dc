import { join } from 'node:path';
import { type FoundFile, readStateFile } from '../../actors/state-file/read-state-file.ts';
import { writeStateFile } from '../../actors/state-file/write-state-file.ts';
import { formatRalphState, parseRalphState } from '../../ralph/parse-state.ts';
import { STATE_FILE } from '../../ralph/ralph-options.ts';
import { RalphState } from '../../ralph/ralph-state.ts';

/** How often a saving starts anew because the file changes at the same moment. */
const MAX_TRIES = 5;

/** A state file that cannot be read or written, or a state that no file can hold. The message has the path. */
export class RalphStateError extends Error {
  override readonly name = 'RalphStateError';
  readonly path: string;
  /** From 1; null where the fault is in no line of the file. */
  readonly line: number | null;

  constructor(path: string, line: number | null, reason: string) {
    super(`${path}${line === null ? '' : `:${line}`}: ${reason}`);
    this.path = path;
    this.line = line;
  }
}

/**
 * Reads the state file `.claude/ralph-loop.local.md` below a folder. Returns null where there is none. Throws a
 * `RalphStateError` that names the line and what is expected there.
 *
 * @example
 * const state = loadRalphWiggumState('.');
 * if (state?.active) console.log(`iteration ${state.iteration} runs`);
 */
export function loadRalphWiggumState(folder: string): RalphState | null {
  const path = join(folder, STATE_FILE);
  const found = readStateFile(path);
  if (found.kind === 'absent') return null;
  if (found.kind === 'unreadable') throw new RalphStateError(path, null, found.reason);
  const parsed = parseRalphState(found.text);
  if (parsed.kind === 'damaged') throw new RalphStateError(path, parsed.line, parsed.reason);
  return parsed.state;
}

/**
 * Writes the state file below a folder, and the folders it lies in. The file is replaced as a whole: readers see the
 * old or the new state, and a crash leaves one of the two. Throws a `RalphStateError` where it cannot be written, or
 * where the state is one that `loadRalphWiggumState` would call damaged.
 *
 * @example
 * saveRalphWiggumState('.', incrementIteration(state));
 */
export function saveRalphWiggumState(folder: string, state: RalphState): void {
  const path = join(folder, STATE_FILE);
  const checked = RalphState.safeParse(state);
  if (!checked.success) throw new RalphStateError(path, null, faultText(checked.error.issues));
  const text = formatRalphState(checked.data);
  for (let tries = 1; ; tries += 1) {
    const found: FoundFile = readStateFile(path);
    const result = writeStateFile(path, text, found);
    if (result.kind === 'written') return;
    if (result.kind === 'unwritable') throw new RalphStateError(path, null, result.reason);
    if (tries === MAX_TRIES) throw new RalphStateError(path, null, 'it changes whenever it is written');
  }
}

type Issues = readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];

/** The first fault: messages of the schema finish the sentence "expected …". */
const faultText = ([first]: Issues): string =>
  `the state cannot be saved: ${(first?.path ?? []).join('.') || 'state'}: expected ${first?.message ?? 'another state'}`;
