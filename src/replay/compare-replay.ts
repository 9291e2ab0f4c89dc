import type { RunState } from '../kernel/fold.ts';
import { differingMembers } from '../kernel/memory-digest.ts';
import { partsOfMark, positionOf } from '../kernel/position.ts';
import type { Sighting } from './difference.ts';
import { digestOf } from './digest.ts';
import type { Recording, Told } from './recording.ts';
import { compareStored } from './stored-place.ts';

type Positions = Pick<Recording, 'snapshots' | 'fields'>;

/** Compares each kind of recorded position with today's machine; null where they agree. */
export function comparisons(
  state: RunState,
  { version, mark = null, state: digest }: Told,
  { snapshots, fields }: Positions,
): (Sighting | null)[] {
  const stored = snapshots?.get(version);
  return [
    ...(mark === null ? [] : [markSighting(mark, state)]),
    ...(stored === undefined ? [] : [storedSighting(compareStored(stored, state), positionOf(state))]),
    ...(digest === undefined || !fields
      ? []
      : [digestSighting(digest, digestOf(state, fields), mark && partsOfMark(mark).position)]),
  ];
}

/** Whether a recorded position tells what the machine remembered. */
export const recordsMemory = ({ version, mark, state }: Told, { snapshots, fields }: Positions): boolean =>
  (mark != null && partsOfMark(mark).memory !== null) ||
  snapshots?.has(version) === true ||
  (state !== undefined && fields !== undefined);

/** The position first: in another one, what is remembered differs anyway. */
function markSighting(mark: string, state: RunState): Sighting | null {
  const { position, memory } = partsOfMark(mark);
  if (position !== positionOf(state)) return { sign: 'state', recorded: position };
  const details = memory === null ? [] : differingMembers(memory, state);
  return details.length === 0 ? null : { sign: 'memory', recorded: position, details };
}

function storedSighting({ mark, differing }: ReturnType<typeof compareStored>, today: string): Sighting | null {
  if (mark !== today) return { sign: 'state', recorded: mark, details: differing };
  return differing.length === 0 ? null : { sign: 'memory', recorded: mark, details: differing };
}

/** Where the recorded position is the same, the memory differs. */
function digestSighting(recorded: string, today: string, mark: string | null): Sighting | null {
  if (recorded === today) return null;
  return {
    sign: mark === null ? 'digest' : 'memory',
    recorded: mark,
    details: [`digest ${recorded} then, ${today} today`],
  };
}
