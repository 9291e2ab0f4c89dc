import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Json } from '../log/envelope.ts';
import { freezeState, type RunState } from '../kernel/fold.ts';
import { positionOf } from '../kernel/position.ts';

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
export function compareStored(stored: Json, state: RunState): StoredPlace {
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
