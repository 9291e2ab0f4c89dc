import { pathOf } from '../charts/nodes.ts';
import { type Transition, transitionId, transitionsOf } from '../charts/transitions.ts';
import { refusalOf, type RunState } from '../runtime/fold.ts';
import { markOf } from '../runtime/mark.ts';
import { taken } from '../runtime/step.ts';
import type { Heard } from './recording.ts';

/**
 * What shows that a machine goes elsewhere than the recording: the state after an event (`state`), what it remembers or waits for
 * there (`memory`), either of them where only a digest was kept (`digest`); an event that it does not take (`refusal`), or that
 * answers nothing it waits for (`unowed`); the ending; or that it breaks.
 */
export type Sign = 'state' | 'memory' | 'digest' | 'refusal' | 'unowed' | 'ending' | 'failure';

/** A transition of today's machine. */
export interface Arrow {
  readonly id: string;
  readonly guard: string | null;
  readonly to: readonly string[];
}

/** The first version at which today's machine and the recording part. */
export interface Difference {
  readonly sign: Sign;
  /** The run that wrote the event: in a shared prefix another. */
  readonly writtenBy: string;
  readonly version: number;
  readonly event: string;
  /** Where the recording stood after it: a mark, or an ending. Null where nobody said. */
  readonly recorded: string | null;
  /** Where today's machine stands after it; where it leads nowhere, before it. Null where it cannot even begin. */
  readonly today: string | null;
  /** Where today's machine stood before it. Null for the first event. */
  readonly before: string | null;
  /** What today's machine takes there, in order. */
  readonly taken: readonly Arrow[];
  /** What it has for such an event there and passes over: its guard says no. */
  readonly passedOver: readonly Arrow[];
  /** What differs of what it remembers, as far as that is known; or what went wrong. */
  readonly details: readonly string[];
  readonly next: Next | null;
}

/** The event after the difference. */
export interface Next {
  readonly version: number;
  readonly event: string;
  readonly isTaken: boolean;
  /** Where in today's chart such an event is taken: it tells where the recording stood, also where nobody said. */
  readonly takenIn: readonly string[];
}

/** What was seen to be otherwise. `recorded` is what the event's mark says, where nothing else is said. */
export interface Sighting {
  readonly sign: Sign;
  readonly recorded?: string | null;
  readonly details?: readonly string[];
}

export interface Found {
  readonly sighting: Sighting;
  readonly told: Heard;
  readonly before: RunState | null;
  /** Null where the event led nowhere. */
  readonly after: RunState | null;
}

/** Puts what was seen as what a person has to know of it. */
export function differenceOf({ sighting, told, before, after }: Found): Difference {
  const { sign, recorded = told.mark ?? null, details = [] } = sighting;
  const transitions = before ? takenAt(before, told) : [];
  const passedOver = before ? passedOverAt(before, told, transitions.find(({ event }) => event === told.type)) : [];
  const today = after ?? before;
  return {
    sign,
    writtenBy: told.run,
    version: told.version,
    event: told.type,
    recorded,
    today: today && markOf(today),
    before: before && markOf(before),
    taken: transitions.map(arrowOf),
    passedOver: passedOver.map(arrowOf),
    details,
    next: null,
  };
}

/** What comes next in the recording, and what today's machine makes of it. */
export function nextOf(told: Heard, today: RunState): Next {
  const { version, type } = told;
  const takenIn = transitionsOf(today.entry.machine).filter(({ event, from }) => event === type && from.path.length > 0);
  return { version, event: type, isTaken: isTaken(today, told), takenIn: [...new Set(takenIn.map(({ from }) => pathOf(from)))] };
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

/** Whatever has the event's name in the states that the machine is in, as far as it was asked: the innermost first, in order. */
function passedOverAt({ entry: { machine }, snapshot }: RunState, { type }: Heard, chosen: Transition | undefined): Transition[] {
  const candidates = transitionsOf(machine).filter(({ from, event }) => event === type && snapshot._nodes.includes(from));
  if (!chosen) return candidates;
  const isDeeper = ({ from }: Transition) => from.path.length > chosen.from.path.length;
  return candidates.filter((one) => isDeeper(one) || (one.from === chosen.from && one.index < chosen.index));
}

const arrowOf = ({ id, guard, to }: Transition): Arrow => ({ id, guard, to: to.map(pathOf) });
