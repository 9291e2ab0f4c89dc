import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../log/envelope.ts';
import { freezeState, type RunState } from '../runtime/fold.ts';
import { markOf } from '../runtime/mark.ts';

type Frozen = Pick<RunState, 'outstanding' | 'paused'> & {
  readonly machine: string;
  readonly snapshot: Pick<RunState['snapshot'], 'value' | 'status'> & { readonly context: { readonly [member: string]: Json } };
};

/** What a state that was stored says of where the run stood. */
export interface StoredPlace {
  readonly mark: string;
  /** Names of what differs of the state of today: `context.spend`, `outstanding`. Members that one of the two does not have count for nothing. */
  readonly differing: readonly string[];
}

/** Compares a stored state with the one that is folded today. */
export function compareStored(stored: Json, state: RunState): StoredPlace {
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
  return { mark: markOf({ snapshot: then.snapshot as RunState['snapshot'], outstanding: then.outstanding }), differing };
}
