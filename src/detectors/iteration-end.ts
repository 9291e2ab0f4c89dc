import { head } from '../text/excerpt.ts';
import { reportOf, type VerificationReport } from '../strategies/report.ts';
import { sentinelOf } from '../strategies/sentinel.ts';
import { eventId, type Logged, type LoggedEvent } from './detector.ts';
import { isNoteBy, NOTES } from './notes.ts';

const MAX_ERROR_CHARS = 2_000;

const isUsualNote = isNoteBy(NOTES);

/** The types of events that a detector of iterations looks at. */
export const ITERATIONS: ReadonlySet<LoggedEvent['type']> = new Set([
  'run.started',
  'iteration.started',
  'child.settled',
  'workspace.captured',
  'verification.completed',
]);

/** The iteration under way, as far as it is recorded. */
export interface Iterating {
  readonly checksTotal: number;
  /** Checks or a `ci` command run after a successful attempt. */
  readonly isVerified: boolean;
  readonly attempt: Attempted | null;
  /** The newest workspace. Null: none is known. */
  readonly captured: string | null;
  /** The newest one that differs from the one before it in more than notes and logs. */
  readonly work: string | null;
}

interface Attempted {
  readonly succeeded: boolean;
  /** The limit or finding that ended the attempt, as text. */
  readonly error: string | null;
}

/** A complete iteration. */
export interface EndedIteration extends Attempted {
  /** The id of its last event. */
  readonly id: string;
  readonly workspace: string | null;
  /** The newest workspace from which this one differs in more than notes and logs; null outside git. */
  readonly work: string | null;
  /** Null where nothing was verified. */
  readonly report: VerificationReport | null;
  readonly checksTotal: number;
}

export const NOT_ITERATING: Iterating = {
  checksTotal: 0,
  isVerified: false,
  attempt: null,
  captured: null,
  work: null,
};

/**
 * Follows a loop of attempts event by event, and returns each iteration with the last event before the judge is asked.
 * An attempt that was lost in a crash or by a pause says nothing about the work and is left out. `isNote`: of a path,
 * whether it says what was done and is no work.
 */
export function followed(
  before: Iterating,
  event: LoggedEvent,
  isNote: (path: string) => boolean = isUsualNote,
): { readonly state: Iterating; readonly ended: EndedIteration | null } {
  const { attempt, checksTotal } = before;
  const going = (now: Attempted | null) => ({ state: { ...before, attempt: now }, ended: null });
  switch (event.type) {
    case 'run.started': {
      const { checks, ci } = event.payload.settings;
      const isVerified = checks.length > 0 || Boolean(ci);
      return { state: { ...before, checksTotal: checks.length, isVerified, attempt: null }, ended: null };
    }
    case 'iteration.started':
      return going(null);
    case 'child.settled':
      return event.payload.callId === undefined ? going(attemptOf(event.payload)) : { state: before, ended: null };
    case 'workspace.captured':
    case 'verification.completed': {
      const verified = event.type === 'verification.completed' ? event.payload : null;
      const state = event.type === 'workspace.captured' ? withCaptured(before, event.payload, isNote) : before;
      const { work } = state;
      if (!attempt || (!verified && attempt.succeeded && before.isVerified)) return { state, ended: null };
      const workspace = event.type === 'verification.completed' ? event.payload.workspace : event.payload.hash;
      const report = verified && verified.levels.length > 0 ? reportOf(verified) : null;
      return {
        state: { ...state, attempt: null },
        ended: { ...attempt, id: eventId(event), workspace, work: work ?? workspace, report, checksTotal },
      };
    }
    default:
      return { state: before, ended: null };
  }
}

/** Outside git nothing is known of the work. A change that is not listed may be one of the work. */
function withCaptured(
  before: Iterating,
  { hash, changed }: Logged<'workspace.captured'>['payload'],
  isNote: (path: string) => boolean,
): Iterating {
  if (hash === null || hash === before.captured) return before;
  const isOnlyNotes = before.work !== null && changed.length > 0 && changed.every(({ path }) => isNote(path));
  return { ...before, captured: hash, work: isOnlyNotes ? before.work : hash };
}

function attemptOf({ outcome }: Logged<'child.settled'>['payload']): Attempted {
  const error = sentinelOf(outcome)?.text ?? null;
  return { succeeded: outcome.ending === 'success', error: error === null ? null : head(error, MAX_ERROR_CHARS) };
}
