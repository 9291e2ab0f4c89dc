import type { RalphContext } from '../../../machines/ralph.machine.ts';
import { type Counting, letGrow, shownMaximum } from '../../../machines/ralph-numbers.ts';
import type { StateChanges, StateEdit } from '../../../machines/ralph-facts.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { formatRalphState, parseRalphState } from '../../ralph/parse-state.ts';
import type { RalphState } from '../../ralph/ralph-state.ts';
import type { RalphMemory } from './memory.ts';
import { type LeftInFile, sortChanges } from './sort-changes.ts';

/** The state file that the log asks for. */
export function stateOf(run: string, context: RalphContext, memory: RalphMemory): RalphState {
  return {
    active: true,
    iteration: Math.max(1, context.iterations + context.file.ahead),
    maxIterations: shownMaximum(context),
    completionPromise: memory.promise,
    startedAt: memory.startedAt,
    sessionId: run,
    originalPrompt: memory.prompt,
  };
}

/** The members that differ, as they are in `found`. Both are as a file has them. Where it stops the loop, only that. */
function changesIn(found: RalphState, ours: RalphState): StateChanges {
  if (!found.active) return { active: false };
  const written = asRead(ours);
  return {
    ...(found.iteration === written.iteration ? {} : { iteration: found.iteration }),
    ...(found.maxIterations === written.maxIterations ? {} : { maxIterations: found.maxIterations }),
    ...(found.completionPromise === written.completionPromise ? {} : { completionPromise: found.completionPromise }),
    ...(found.originalPrompt === written.originalPrompt ? {} : { originalPrompt: found.originalPrompt }),
  };
}

/** A prompt may lose white space at its ends on the way through a file: that is no edit. */
function asRead(state: RalphState): RalphState {
  const read = parseRalphState(formatRalphState(state));
  return read.kind === 'state' ? read.state : state;
}

/**
 * Whether a change gives the loop more than it has: more iterations, another task, another promise. Everything else may
 * only stop or shorten it.
 */
function lengthens(changes: StateChanges, ours: RalphState): boolean {
  const { active, iteration, maxIterations, completionPromise, originalPrompt } = changes;
  if (active === false) return false;
  return (
    (iteration !== undefined && iteration < ours.iteration) ||
    (maxIterations !== undefined && orNone(maxIterations) > orNone(ours.maxIterations)) ||
    completionPromise !== undefined ||
    originalPrompt !== undefined
  );
}

const orNone = (maximum: number): number => (maximum === 0 ? Infinity : maximum);

/** Without what would move a maximum that was given as an option: that is stronger than the file. */
function withinFixed({ maxIterations: _, iteration, ...others }: StateChanges, ours: RalphState): StateChanges {
  return iteration === undefined || iteration < ours.iteration ? others : { ...others, iteration };
}

export interface EditSource extends Pick<StateEdit, 'digest' | 'by'> {
  /** The maximum was given as an option. */
  readonly isFixed: boolean;
  /** What lies in the file and does not count. */
  readonly left: LeftInFile;
  /** In force. */
  readonly numbers: Counting;
}

/** An edit of the file, with what of it counts at once. */
export function editOf(found: RalphState, ours: RalphState, source: EditSource): StateEdit {
  const { digest, by, isFixed, left, numbers } = source;
  const changes = isFixed ? withinFixed(changesIn(found, ours), ours) : changesIn(found, ours);
  const { deactivatedReason: reason } = found;
  if (changes.active === false)
    return { digest, changes, ...(reason === undefined ? {} : { reason }), by, held: false };
  const { held, fresh } = sortChanges(changes, left, ours.originalPrompt);
  const isHolding = isAny(held);
  if (by === 'person' && isHolding)
    return { digest, changes: held, by, held: true, ...(isAny(fresh) ? { persons: fresh } : {}) };
  const all = { ...held, ...fresh };
  return {
    digest,
    changes: all,
    by,
    held: by === 'unknown' && (isHolding || lengthens(all, ours) || letGrow(numbers, all)),
  };
}

const isAny = (changes: StateChanges): boolean => Object.keys(changes).length > 0;

/** Tools that write nothing and start nothing. */
const READING_TOOLS = [
  'read',
  'list',
  'glob',
  'grep',
  'finish',
  'ask_user',
  'request_read_access',
  'request_command_access',
];
/** Tools that write files, and refuse this one. What they write may be run by a check. */
const WRITING_TOOLS = ['edit', 'multi_edit', 'write'];

/**
 * Whether an attempt, or a check of its work, could have written the file. From a worktree a command reaches it, too:
 * its path leads out of there.
 */
export function agentCanEdit(settings: RunSettings): boolean {
  const { tools, checks, ci } = settings;
  const runsItsWork = checks.length > 0 || ci != null;
  const harmless = runsItsWork ? READING_TOOLS : [...READING_TOOLS, ...WRITING_TOOLS];
  return tools.some((tool) => !harmless.includes(tool));
}

/** When the file was changed, and whether a process of a command could have done it after the command had ended. */
export interface ChangeOfFile {
  readonly changedAtMs: number;
  readonly mayOutlive: boolean;
  /** When the run has read or written it before. */
  readonly lookedAt: string | null;
}

/**
 * Whether the file was changed while only people were at work: before the first attempt, in a pause, in a wait. What
 * was edited then is found by the first look after it. A later look that finds such a file finds one that was put aside
 * and moved back, which no person does while an attempt runs.
 */
export function isIdleAt(context: RalphContext, { changedAtMs, mayOutlive, lookedAt }: ChangeOfFile): boolean {
  const { iterations, attempt, idle, waitingSince, pending, leftAtWork } = context;
  if (iterations <= 1 && attempt === null && !('agent' in pending)) return true;
  if (mayOutlive) return false;
  if (leftAtWork && (leftAtWork.until === null || changedAtMs < Date.parse(leftAtWork.until))) return false;
  if (waitingSince !== null && changedAtMs >= Date.parse(waitingSince)) return true;
  if (idle === null || (lookedAt !== null && lookedAt > idle.to)) return false;
  return changedAtMs >= Date.parse(idle.from) && changedAtMs <= Date.parse(idle.to);
}
