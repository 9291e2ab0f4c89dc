import type { EventOf, Recorded } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import { fold, migrated, open, refusalOf, type RunState } from '../kernel/fold.ts';
import { startOf } from '../runtime/intact.ts';
import type { Sighting } from './difference.ts';
import type { Heard } from './recording.ts';

/** The machine that wrote it is unknown. */
export type Refused = {
  readonly kind: 'refused';
  readonly machine: string;
  readonly known: readonly string[];
  /** Why the known machine of that name is not the one that wrote it. */
  readonly because?: string;
};
/** The result of one event: a state, or none. */
export type Led =
  | { readonly kind: 'state'; readonly state: RunState }
  | { readonly kind: 'nowhere'; readonly sighting: Sighting };

/** The state of today's machine when a run begins. */
export function begin(told: Heard, machines: readonly CatalogueEntry[]): Led | Refused {
  try {
    const opened = open(startOf(told.run, told.event), machines);
    if (opened.kind === 'opened') return { kind: 'state', state: opened.state };
    const { machine, known, because } = opened;
    return { kind: 'refused', machine, known, ...(because === undefined ? {} : { because }) };
  } catch (error) {
    return failed(error);
  }
}

/**
 * The state of today's machine after one more event. The event must be accepted, and an answer must belong to a pending
 * effect.
 */
export function follow(before: RunState, told: Heard, machines: readonly CatalogueEntry[]): Led | Refused {
  const { causation } = told;
  if (causation?.includes('/') && !before.outstanding.some(({ effect }) => effect === causation)) {
    const owing = before.outstanding.map(({ effect }) => effect);
    const details = [`it answers effect ${causation}; owed here: ${owing.join(', ') || 'none'}`];
    return { kind: 'nowhere', sighting: { sign: 'unowed', details } };
  }
  try {
    const { event } = told;
    if (event.type === 'run.migrated') return move(before, event, machines);
    if (refusalOf(before, event)) return { kind: 'nowhere', sighting: { sign: 'refusal' } };
    return { kind: 'state', state: fold(before, event) };
  } catch (error) {
    return failed(error);
  }
}

/** The target machine of a migration has to be known, and the migration to it. */
function move(
  before: RunState,
  event: Recorded<EventOf<'run.migrated'>>,
  machines: readonly CatalogueEntry[],
): Led | Refused {
  const { to } = event.payload;
  const known = machines.map(({ id }) => id);
  if (!known.includes(to as CatalogueEntry['id'])) return { kind: 'refused', machine: to, known };
  const state = migrated(before, event);
  return typeof state === 'string'
    ? { kind: 'nowhere', sighting: { sign: 'refusal', details: [state] } }
    : { kind: 'state', state };
}

/** A guard or an action of an edited chart may throw. */
const failed = (error: unknown): Led => ({
  kind: 'nowhere',
  sighting: { sign: 'failure', details: [error instanceof Error ? error.message : String(error)] },
});
