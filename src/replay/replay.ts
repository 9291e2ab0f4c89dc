import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import { fold, hasEnded, open, type RunState } from '../runtime/fold.ts';
import { markOf, placeOf } from '../runtime/mark.ts';
import { refusal } from '../runtime/step.ts';
import { type Difference, differenceOf, nextOf, type Sighting } from './difference.ts';
import { digestOf } from './digest.ts';
import { eventOf, type Recording, startOf, type Told } from './recording.ts';
import { compareStored } from './stored.ts';

/** What today's machine makes of a recorded run. */
export type Replayed =
  /** `compared`: at how many of its events the recording says where it stood. */
  | { readonly kind: 'same'; readonly run: string; readonly events: number; readonly compared: number }
  | { readonly kind: 'differs'; readonly run: string; readonly difference: Difference }
  | ({ readonly run: string } & (Refused | Damaged));

/** The machine that wrote it is not known. */
type Refused = { readonly kind: 'refused'; readonly machine: string; readonly known: readonly string[] };
/** The recording is not what was written: the first version where that shows. */
export type Damaged = { readonly kind: 'damaged'; readonly version: number; readonly reason: string };

/** Where one event leads: to a state, or to none. */
type Led = { readonly kind: 'state'; readonly state: RunState } | { readonly kind: 'nowhere'; readonly sighting: Sighting };

/**
 * Folds a recorded run by today's machines, and says whether they take the same way: each event is taken, each result was
 * waited for, and wherever the recording says where it stood, they stand there too. Pure. It reads one event further than
 * the first difference.
 *
 * @example
 * const replayed = await replay({ run, events: log.read(run) });
 * if (replayed.kind === 'differs') console.log(replayed.difference.version);
 */
export async function replay(recording: Recording, machines: readonly CatalogueEntry[] = catalogue): Promise<Replayed> {
  const { run, events, closed } = recording;
  let before: RunState | null = null;
  let last: Told | null = null;
  let difference: Difference | null = null;
  let compared = 0;
  for await (const told of events) {
    if (difference) return { kind: 'differs', run, difference: { ...difference, next: before && nextOf(told, before) } };
    const damage = damageAt(told, before);
    if (damage) return { run, ...damage };
    const led: Led | Refused = before ? follow(before, told) : begin(told, machines);
    if (led.kind === 'refused') return { run, ...led };
    const after: RunState | null = led.kind === 'state' ? led.state : null;
    const said = after && comparisons(after, told, recording);
    if (said && said.length > 0) compared += 1;
    const sighting = led.kind === 'nowhere' ? led.sighting : (said?.find((one) => one !== null) ?? null);
    if (sighting) difference = differenceOf({ sighting, told, before, after });
    before = after ?? before;
    last = told;
  }
  if (difference) return { kind: 'differs', run, difference };
  if (!before || !last) return { kind: 'damaged', run, version: 1, reason: 'it has no events' };
  const sighting = endingOf(before, closed);
  if (sighting) return { kind: 'differs', run, difference: differenceOf({ sighting, told: last, before: null, after: before }) };
  return { kind: 'same', run, events: last.version, compared };
}

function damageAt({ version, type }: Told, before: RunState | null): Damaged | null {
  const expected = (before?.version ?? 0) + 1;
  if (version !== expected) return { kind: 'damaged', version: expected, reason: `version ${version} follows version ${expected - 1}` };
  if (!before && type !== 'run.started') return { kind: 'damaged', version, reason: `it begins with ${type}, not with run.started` };
  return null;
}

function begin(told: Told, machines: readonly CatalogueEntry[]): Led | Refused {
  try {
    const opened = open(startOf(told), machines);
    if (opened.kind === 'opened') return { kind: 'state', state: opened.state };
    return { kind: 'refused', machine: opened.machine, known: opened.known };
  } catch (error) {
    return failed(error);
  }
}

function follow(before: RunState, told: Told): Led {
  const owing = before.outstanding.map(({ effect }) => effect);
  if (told.causation?.includes('/') && !owing.includes(told.causation)) {
    const details = [`it answers effect ${told.causation}; owed here: ${owing.join(', ') || 'none'}`];
    return { kind: 'nowhere', sighting: { sign: 'unowed', details } };
  }
  try {
    const event = eventOf(told);
    if (refusal(before.snapshot, event)) return { kind: 'nowhere', sighting: { sign: 'refusal' } };
    return { kind: 'state', state: fold(before, event) };
  } catch (error) {
    return failed(error);
  }
}

/** A guard or an action of an edited chart may throw. */
const failed = (error: unknown): Led => ({
  kind: 'nowhere',
  sighting: { sign: 'failure', details: [error instanceof Error ? error.message : String(error)] },
});

/** One for each way in which the recording says where it stood: null where that is where today's machine stands. */
function comparisons(state: RunState, { version, mark = null, state: digest }: Told, { snapshots, fields }: Recording): (Sighting | null)[] {
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

function endingOf(state: RunState, closed: string | null | undefined): Sighting | null {
  const ending = hasEnded(state) ? placeOf(state.snapshot) : null;
  return closed === undefined || closed === ending ? null : { sign: 'ending', recorded: closed ?? 'still open' };
}
