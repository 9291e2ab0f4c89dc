import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import type { ReadEvent, Unreadable } from '../log/read-event.ts';
import { Reading } from '../log/reading.ts';
import { isOfShippedLoop } from '../log/unreadable.ts';
import { hasEnded, type RunState } from '../kernel/fold.ts';
import { notFolded } from '../runtime/load-run.ts';
import { placeOf } from '../kernel/position.ts';
import { comparisons, recordsMemory } from './compare-replay.ts';
import { type Difference, differenceOf, type Next, nextOf, type Sighting } from './difference.ts';
import { begin, follow, type Led, type Refused } from './follow-replay.ts';
import type { Heard, Recording, Told } from './recording.ts';

/** The result of replaying a recorded run with today's machine. */
export type Replayed =
  /**
   * `compared` is the number of events with a recorded position, `remembered` of those with a digest of what the
   * machine remembered: 0 in logs of earlier versions.
   */
  | {
      readonly kind: 'same';
      readonly run: string;
      readonly events: number;
      readonly compared: number;
      readonly remembered: number;
    }
  | { readonly kind: 'differs'; readonly run: string; readonly difference: Difference }
  /** An event that this program, with these machines, cannot read. Later events were not replayed. */
  | Unreadable
  | ({ readonly run: string } & (Refused | Damaged));

/** The recording was changed: the first version that shows it. */
export type Damaged = { readonly kind: 'damaged'; readonly version: number; readonly reason: string };

/**
 * Folds a recorded run with today's machines, and reports whether they follow the same path: each event is accepted,
 * each result belongs to a pending effect, and every recorded position is the same. Every payload is parsed. Pure. It
 * reads one event further than the first difference.
 *
 * @example
 * const replayed = await replay({ run, events: log.read(run) });
 * if (replayed.kind === 'differs') console.log(replayed.difference.version);
 */
export async function replay(recording: Recording, machines: readonly CatalogueEntry[] = catalogue): Promise<Replayed> {
  const replaying = new Replaying(recording, machines);
  for await (const told of recording.events) {
    const replayed = replaying.take(told);
    if (replayed) return replayed;
  }
  return replaying.end();
}

/** `replay`, event by event. */
export class Replaying {
  readonly #recording: Omit<Recording, 'events'>;
  readonly #machines: readonly CatalogueEntry[];
  readonly #reading: Reading;
  #before: RunState | null = null;
  #last: Heard | null = null;
  #difference: Difference | null = null;
  #compared = 0;
  #remembered = 0;

  constructor(recording: Omit<Recording, 'events'>, machines: readonly CatalogueEntry[]) {
    this.#recording = recording;
    this.#machines = machines;
    this.#reading = new Reading(machines, { isWhole: true });
  }

  /** The result, as soon as no later event changes it; else null. */
  take(told: Told): Replayed | null {
    const { run } = this.#recording;
    const before = this.#before;
    const read = this.#reading.read(told);
    if (this.#difference)
      return {
        kind: 'differs',
        run,
        difference: { ...this.#difference, next: before && next(told, read, before) },
      };
    const damage = damageAt(told, before);
    if (damage) return { run, ...damage };
    if (read.kind === 'unreadable') return unread(run, read, this.#machines);
    const heard: Heard = { ...told, event: read.event };
    const led: Led | Refused = before ? follow(before, heard, this.#machines) : begin(heard, this.#machines);
    if (led.kind === 'refused') return { run, ...led };
    this.#compare(led, heard);
    return null;
  }

  /** The result, after the last event. */
  end(): Replayed {
    const { run, closed } = this.#recording;
    if (this.#difference) return { kind: 'differs', run, difference: this.#difference };
    const [before, last] = [this.#before, this.#last];
    if (!before || !last) return { kind: 'damaged', run, version: 1, reason: 'it has no events' };
    const sighting = endingOf(before, closed);
    if (sighting)
      return { kind: 'differs', run, difference: differenceOf({ sighting, told: last, before: null, after: before }) };
    return { kind: 'same', run, events: last.version, compared: this.#compared, remembered: this.#remembered };
  }

  #compare(led: Led, heard: Heard): void {
    const before = this.#before;
    const after = led.kind === 'state' ? led.state : null;
    const said = after && comparisons(after, heard, this.#recording);
    if (said && said.length > 0) this.#compared += 1;
    if (recordsMemory(heard, this.#recording)) this.#remembered += 1;
    const sighting = led.kind === 'nowhere' ? led.sighting : (said?.find((one) => one !== null) ?? null);
    if (sighting) this.#difference = differenceOf({ sighting, told: heard, before, after });
    this.#before = after ?? before;
    this.#last = heard;
  }
}

const next = (told: Told, read: ReadEvent, before: RunState): Next | null =>
  read.kind === 'event' ? nextOf({ ...told, event: read.event }, before) : null;

/**
 * A payload that does not fit its own schema is not what such a program writes. The schemas of a loop that does not
 * ship can change under the same version, so that its log is as it was written.
 */
function unread(run: string, unreadable: Unreadable, machines: readonly CatalogueEntry[]): Replayed {
  const { because, version, detail } = unreadable;
  const found = notFolded(unreadable, machines);
  if (found.kind === 'unknown_machine') return { kind: 'refused', run, machine: found.machine, known: found.known };
  if (because === 'misfit' && isOfShippedLoop(unreadable))
    return { kind: 'damaged', run, version, reason: detail ?? 'its payload does not fit' };
  if (because === 'forgotten') return { kind: 'damaged', run, version, reason: 'payload: its content was forgotten' };
  return { ...unreadable, run };
}

function damageAt({ version, type }: Told, before: RunState | null): Damaged | null {
  const expected = (before?.version ?? 0) + 1;
  if (version !== expected)
    return { kind: 'damaged', version: expected, reason: `version ${version} follows version ${expected - 1}` };
  if (!before && type !== 'run.started')
    return { kind: 'damaged', version, reason: `it begins with ${type}, not with run.started` };
  return null;
}

function endingOf(state: RunState, closed: string | null | undefined): Sighting | null {
  const ending = hasEnded(state) ? placeOf(state.snapshot) : null;
  return closed === undefined || closed === ending ? null : { sign: 'ending', recorded: closed ?? 'still open' };
}
