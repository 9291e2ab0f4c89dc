import type { RunState } from '../runtime/fold.ts';
import { markOf } from '../runtime/mark.ts';
import type { Sighting } from './difference.ts';
import { digestOf } from './digest.ts';
import type { Recording, Told } from './recording.ts';
import { compareStored } from './stored.ts';

/** One for each way in which the recording says where it stood: null where that is where today's machine stands. */
export function comparisons(state: RunState, { version, mark = null, state: digest }: Told, { snapshots, fields }: Recording): (Sighting | null)[] {
  const stored = snapshots?.get(version);
  return [
    ...(mark === null ? [] : [mark === markOf(state) ? null : ({ sign: 'state', recorded: mark } as const)]),
    ...(stored === undefined ? [] : [storedSighting(compareStored(stored, state), markOf(state))]),
    ...(digest === undefined || !fields ? [] : [digestSighting(digest, digestOf(state, fields), mark)]),
  ];
}

function storedSighting({ mark, differing }: ReturnType<typeof compareStored>, today: string): Sighting | null {
  if (mark !== today) return { sign: 'state', recorded: mark, details: differing };
  return differing.length === 0 ? null : { sign: 'memory', recorded: mark, details: differing };
}

/** Where a mark says that the place is the same, it is the memory that is not. */
function digestSighting(recorded: string, today: string, mark: string | null): Sighting | null {
  if (recorded === today) return null;
  return { sign: mark === null ? 'digest' : 'memory', recorded: mark, details: [`digest ${recorded} then, ${today} today`] };
}
