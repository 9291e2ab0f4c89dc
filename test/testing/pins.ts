import { readFileSync } from 'node:fs';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import { placeOf } from '../../src/kernel/position.ts';
import { begin, type Effect, type MachineSnapshot, refusal, step } from '../../src/kernel/step.ts';
import { next } from '../../src/testing/search-state.ts';

/** The shortest way to every transition of a loop, and where it led when that was last read by a person. */
export interface Pins {
  readonly openings: Readonly<Record<string, EventOf<'run.started'>>>;
  /** Every event on the paths, and those that must be refused where no effect waits for them, by a short name. */
  readonly events: Readonly<Record<string, LoopEvent>>;
  readonly ways: Readonly<Record<string, Pinned>>;
}

export interface Pinned extends Told {
  readonly opening: string;
  readonly events: readonly string[];
}

/** What came of a way. */
interface Told {
  /** Place, effects and who owes, at the beginning and after each event. */
  readonly follows: readonly string[];
  /** What the last event changed of what the machine remembers. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Which of all the events might come next. */
  readonly takes: readonly string[];
}

export const readPins = (loop: string): Pins =>
  JSON.parse(readFileSync(new URL(`pinned/${loop}.json`, import.meta.url), 'utf8')) as Pins;

/**
 * The first of the pinned ways that a machine goes otherwise, and where; null where it goes all of them as they are
 * written.
 */
export function strayed({ openings, events, ways }: Pins, loop: CatalogueEntry): string | null {
  for (const [id, pinned] of Object.entries(ways)) {
    const started = openings[pinned.opening];
    if (!started) throw new Error(`${id} speaks of an opening that is not written`);
    const told = tell(loop, started, pinned.events, events);
    for (const part of ['follows', 'changes', 'takes'] as const) {
      if (JSON.stringify(told[part]) !== JSON.stringify(pinned[part]))
        return `${id}: ${part} ${JSON.stringify(told[part])}`;
    }
  }
  return null;
}

type Named = Pins['events'];

/** What comes of a way. What is refused changes nothing. */
export function tell(
  { machine }: CatalogueEntry,
  started: EventOf<'run.started'>,
  way: readonly string[],
  events: Named,
): Told {
  const at = { version: 0 };
  const recorded = <Event extends LoopEvent>(event: Event) => next(at, event);
  let now = begin(machine, recorded(started));
  let before = now.snapshot;
  const follows = [wordsOf(now.snapshot, now.effects)];
  for (const name of way) {
    const event = events[name];
    if (!event) throw new Error(`no event is called ${name}`);
    at.version += 1;
    before = now.snapshot;
    const because = refusal(before, recorded(event));
    if (!because) now = step(machine, before, recorded(event));
    follows.push(because ?? wordsOf(now.snapshot, now.effects));
  }
  at.version += 1;
  const takes = Object.entries(events)
    .filter(([, event]) => refusal(now.snapshot, recorded(event)) === null)
    .map(([name]) => name);
  return { follows, changes: changesOf(before, now.snapshot), takes };
}

function wordsOf(snapshot: MachineSnapshot, effects: readonly Effect[]): string {
  const { pending }: Life = snapshot.context;
  const asked = effects.map(({ kind, key }) => `${kind === 'start' ? '+' : '-'}${key}`);
  const owing = Object.entries(pending).map(([actor, how]) => `${actor} ${how}`);
  return [placeOf(snapshot), asked.join(' '), owing.join(', ')].filter((part) => part !== '').join(' | ');
}

function changesOf(before: MachineSnapshot, now: MachineSnapshot): Record<string, unknown> {
  const changed = Object.entries(now.context).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.context[name]),
  );
  return Object.fromEntries(changed);
}
