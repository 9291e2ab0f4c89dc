import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import { hasEnded, type RunState } from '../runtime/fold.ts';
import { placeOf } from '../runtime/mark.ts';
import { comparisons } from './comparing.ts';
import { type Difference, differenceOf, nextOf, type Sighting } from './difference.ts';
import { begin, follow, type Led, type Refused } from './following.ts';
import { misfitOf } from './misfit.ts';
import type { Recording, Told } from './recording.ts';

/** What today's machine makes of a recorded run. */
export type Replayed =
  /** `compared`: at how many of its events the recording says where it stood. */
  | { readonly kind: 'same'; readonly run: string; readonly events: number; readonly compared: number }
  | { readonly kind: 'differs'; readonly run: string; readonly difference: Difference }
  | ({ readonly run: string } & (Refused | Damaged));

/** The recording is not what was written: the first version where that shows. */
export type Damaged = { readonly kind: 'damaged'; readonly version: number; readonly reason: string };

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
  const { run, events, closed, isUnparsed = false } = recording;
  let before: RunState | null = null;
  let last: Told | null = null;
  let difference: Difference | null = null;
  let compared = 0;
  for await (const told of events) {
    if (difference) return { kind: 'differs', run, difference: { ...difference, next: before && nextOf(told, before) } };
    const damage = damageAt(told, before);
    if (damage) return { run, ...damage };
    const misfit = isUnparsed ? misfitOf(told, before, machines) : null;
    if (misfit !== null) return { run, kind: 'damaged', version: told.version, reason: misfit };
    const led: Led | Refused = before ? follow(before, told, machines) : begin(told, machines);
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

function endingOf(state: RunState, closed: string | null | undefined): Sighting | null {
  const ending = hasEnded(state) ? placeOf(state.snapshot) : null;
  return closed === undefined || closed === ending ? null : { sign: 'ending', recorded: closed ?? 'still open' };
}
