import { pathOf, type Transition, transitionId, transitionsOf } from '../charts/transitions.ts';
import { refusalOf, type RunState } from '../kernel/fold.ts';
import { partsOfMark, positionOf } from '../kernel/position.ts';
import { taken } from '../kernel/step.ts';
import type { Heard } from './recording.ts';

/**
 * How a machine differs from the recording: in the state after an event (`state`); in its context or its pending
 * effects (`memory`); in either, where only a digest was recorded (`digest`); by an event that it does not accept
 * (`refusal`), or that answers no pending effect (`unowed`); in the ending; or because it throws.
 */
export type Sign = 'state' | 'memory' | 'digest' | 'refusal' | 'unowed' | 'ending' | 'failure';

/** A transition of today's machine. */
export interface Arrow {
  readonly id: string;
  readonly guard: string | null;
  readonly to: readonly string[];
}

/** The first version at which today's machine and the recording differ. */
export interface Difference {
  readonly sign: Sign;
  /** The run that wrote the event: in a shared prefix it is another one. */
  readonly writtenBy: string;
  readonly version: number;
  readonly event: string;
  /** The recorded position after it, or the ending. Null where none is recorded. */
  readonly recorded: string | null;
  /**
   * The position of today's machine after it; before it, where the event has no transition. Null where the machine
   * cannot start.
   */
  readonly today: string | null;
  /** The position of today's machine before it. Null for the first event. */
  readonly before: string | null;
  /** The transitions that today's machine takes there, in order. */
  readonly taken: readonly Arrow[];
  /** The transitions for such an event whose guards refuse it. */
  readonly passedOver: readonly Arrow[];
  /** What differs in its memory, as far as that is known; or the error. */
  readonly details: readonly string[];
  readonly next: Next | null;
}

/** The event after the difference. */
export interface Next {
  readonly version: number;
  readonly event: string;
  readonly isTaken: boolean;
  /**
   * The states of today's chart that accept such an event: a hint at the recorded position, even where none is
   * recorded.
   */
  readonly takenIn: readonly string[];
}

/** The observed difference. `recorded` is the position that the event carries, unless stated otherwise. */
export interface Sighting {
  readonly sign: Sign;
  readonly recorded?: string | null;
  readonly details?: readonly string[];
}

export interface Found {
  readonly sighting: Sighting;
  readonly told: Heard;
  readonly before: RunState | null;
  /** Null where the event had no transition. */
  readonly after: RunState | null;
}

/** Describes the difference for the user. */
export function differenceOf({ sighting, told, before, after }: Found): Difference {
  const { sign, recorded = told.mark == null ? null : partsOfMark(told.mark).position, details = [] } = sighting;
  const transitions = before ? takenAt(before, told) : [];
  const passedOver = before
    ? passedOverAt(
        before,
        told,
        transitions.find(({ event }) => event === told.type),
      )
    : [];
  const today = after ?? before;
  return {
    sign,
    writtenBy: told.run,
    version: told.version,
    event: told.type,
    recorded,
    today: today && positionOf(today),
    before: before && positionOf(before),
    taken: transitions.map(arrowOf),
    passedOver: passedOver.map(arrowOf),
    details,
    next: null,
  };
}

/** The next event of the recording, and the response of today's machine. */
export function nextOf(told: Heard, today: RunState): Next {
  const { version, type } = told;
  const takenIn = transitionsOf(today.entry.machine).filter(
    ({ event, from }) => event === type && from.path.length > 0,
  );
  return {
    version,
    event: type,
    isTaken: isTaken(today, told),
    takenIn: [...new Set(takenIn.map(({ from }) => pathOf(from)))],
  };
}

function isTaken(state: RunState, told: Heard): boolean {
  try {
    return refusalOf(state, { ...told.event, version: state.version + 1 }) === null;
  } catch {
    return false;
  }
}

function takenAt({ entry: { machine }, snapshot }: RunState, told: Heard): Transition[] {
  try {
    const ids = taken(machine, snapshot, told.event).map(transitionId);
    return ids.flatMap((id) => transitionsOf(machine).filter((one) => one.id === id));
  } catch {
    return [];
  }
}

/**
 * The transitions for the event in the current states of the machine that were evaluated, the innermost first, in
 * order.
 */
function passedOverAt(
  { entry: { machine }, snapshot }: RunState,
  { type }: Heard,
  chosen: Transition | undefined,
): Transition[] {
  const candidates = transitionsOf(machine).filter(
    ({ from, event }) => event === type && snapshot._nodes.includes(from),
  );
  if (!chosen) return candidates;
  const isDeeper = ({ from }: Transition) => from.path.length > chosen.from.path.length;
  return candidates.filter((one) => isDeeper(one) || (one.from === chosen.from && one.index < chosen.index));
}

const arrowOf = ({ id, guard, to }: Transition): Arrow => ({ id, guard, to: to.map(pathOf) });
