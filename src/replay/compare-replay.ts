import { type RunState, freezeState } from '../kernel/fold.ts';
import { differingMembers } from '../kernel/memory-digest.ts';
import { partsOfMark, positionOf } from '../kernel/position.ts';
import type { Sighting } from './difference.ts';
import { digestOf, type Recording, type Told } from './recording.ts';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Json } from '../log/envelope.ts';

/** What a stored state has in any version. */
const Frozen = z.looseObject({
  machine: z.string(),
  snapshot: z.looseObject({
    status: z.string(),
    value: z.union([z.string(), z.record(z.string(), z.unknown())]),
    context: z.record(z.string(), z.unknown()),
  }),
  outstanding: z.array(z.unknown()),
});

type Frozen = Pick<RunState, 'outstanding' | 'paused'> & {
  readonly machine: string;
  readonly snapshot: Pick<RunState['snapshot'], 'value' | 'status'> & {
    readonly context: { readonly [member: string]: Json };
  };
};

/** The recorded position in a stored state. */
export interface StoredPlace {
  readonly mark: string;
  /**
   * The names of the members that differ from today's state: `context.spend`, `outstanding`. Members that only one of
   * the two has are ignored.
   */
  readonly differing: readonly string[];
}

/** Compares a stored state with the state folded today. What is no state differs from it as a whole. */
function compareStored(stored: Json, state: RunState): StoredPlace {
  if (!Frozen.safeParse(stored).success) return { mark: 'what is stored there is no state', differing: [] };
  const [then, now] = [stored as unknown as Frozen, freezeState(state) as unknown as Frozen];
  const pairs: readonly (readonly [name: string, then: unknown, now: unknown])[] = [
    ['machine', then.machine, now.machine],
    ['status', then.snapshot.status, now.snapshot.status],
    ['outstanding', then.outstanding, now.outstanding],
    ['paused', then.paused, now.paused],
    ...Object.entries(then.snapshot.context)
      .filter(([member]) => member in now.snapshot.context)
      .map(([member, value]) => [`context.${member}`, value, now.snapshot.context[member]] as const),
  ];
  const differing = pairs.filter(([, one, other]) => !isDeepStrictEqual(one, other)).map(([name]) => name);
  return {
    mark: positionOf({ snapshot: then.snapshot as RunState['snapshot'], outstanding: then.outstanding }),
    differing,
  };
}

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
