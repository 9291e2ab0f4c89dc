import { readFileSync } from 'node:fs';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import { begin, type Effect, type MachineSnapshot, refusal, step } from '../../src/runtime/step.ts';
import { placeOf } from '../../src/testing/graph.ts';
import { begun, next } from '../../src/testing/moment.ts';
import type { Ways } from '../../src/testing/paths.ts';
import type { World } from '../../src/testing/world.ts';

/** The shortest way to every transition of a loop, and what each event on it led to when that was last read by a person. */
export interface Pins {
  readonly openings: Readonly<Record<string, EventOf<'run.started'>>>;
  /** Every event on the ways, by a name that is short. */
  readonly events: Readonly<Record<string, LoopEvent>>;
  readonly ways: Readonly<Record<string, Pinned>>;
}

interface Pinned {
  readonly opening: string;
  /** Where it begins; then, for each event, its name and what follows. */
  readonly begins: string;
  readonly steps: readonly (readonly [event: string, follows: string])[];
}

const fileOf = (loop: string): URL => new URL(`pinned/${loop}.json`, import.meta.url);
export const readPins = (loop: string): Pins => JSON.parse(readFileSync(fileOf(loop), 'utf8')) as Pins;

/** The first of the pinned ways that a machine goes otherwise, and where; null where it goes all of them as they are written. */
export function strayed({ openings, events, ways }: Pins, loop: CatalogueEntry): string | null {
  for (const [id, { opening, begins, steps }] of Object.entries(ways)) {
    const started = openings[opening];
    const way = steps.map(([name]) => events[name]).filter((event) => event !== undefined);
    if (!started || way.length < steps.length) throw new Error(`${id} speaks of what is not written`);
    const walked = walk(loop, started, way);
    const written = [begins, ...steps.map(([, follows]) => follows)];
    const index = walked.findIndex((follows, at) => follows !== written[at]);
    if (index >= 0) return `${id}, ${steps[index - 1]?.[0] ?? 'run.started'}: ${walked[index]}, not ${written[index]}`;
  }
  return null;
}

/** The ways as a file has them: a line for each event. */
export function written(loop: CatalogueEntry, world: World, { transitions }: Ways): string {
  const names = new Map<string, string>();
  const nameOf = (event: LoopEvent): string => {
    const text = JSON.stringify(event);
    const others = [...names.values()].filter((name) => name.split(' ')[0] === event.type).length;
    const name = names.get(text) ?? (others === 0 ? event.type : `${event.type} ${others + 1}`);
    names.set(text, name);
    return name;
  };
  const ways = [...transitions].toSorted().map(([id, { opening, events }]) => {
    const started = world.openings[opening];
    if (!started) throw new Error(`no opening ${opening}`);
    const [begins, ...follows] = walk(loop, started, events);
    const steps = events.map((event, index) => JSON.stringify([nameOf(event), follows[index]]));
    const way = [`      "opening": ${JSON.stringify(opening)}`, `      "begins": ${JSON.stringify(begins)}`, `      "steps": [\n        ${steps.join(',\n        ')}\n      ]`];
    return `    ${JSON.stringify(id)}: {\n${way.join(',\n')}\n    }`;
  });
  const used = new Set([...transitions.values()].map(({ opening }) => opening));
  const openings = Object.entries(world.openings).filter(([name]) => used.has(name)).map(([name, event]) => `    ${JSON.stringify(name)}: ${JSON.stringify(event)}`);
  const events = [...names].toSorted(([, one], [, other]) => (one < other ? -1 : 1)).map(([text, name]) => `    ${JSON.stringify(name)}: ${text}`);
  const parts = { openings, events, ways };
  return `{\n${Object.entries(parts).map(([part, lines]) => `  "${part}": {\n${lines.join(',\n')}\n  }`).join(',\n')}\n}\n`;
}

/** What each event led to, the beginning first. What is refused changes nothing. */
function walk(loop: CatalogueEntry, started: EventOf<'run.started'>, events: readonly LoopEvent[]): string[] {
  const first = begun(loop, started).state;
  let now = begin(loop.machine, next({ ...first, version: 0 }, started) as Parameters<typeof begin>[1]);
  const told = [tell(now.snapshot, now.effects)];
  for (const [index, event] of events.entries()) {
    const recorded = next({ ...first, version: index + 1 }, event);
    const because = refusal(now.snapshot, recorded);
    if (!because) now = step(loop.machine, now.snapshot, recorded);
    told.push(because ?? tell(now.snapshot, now.effects));
  }
  return told;
}

function tell(snapshot: MachineSnapshot, effects: readonly Effect[]): string {
  const { pending }: Life = snapshot.context;
  const asked = effects.map(({ kind, key }) => `${kind === 'start' ? '+' : '-'}${key}`);
  const owing = Object.entries(pending).map(([actor, how]) => `${actor} ${how}`);
  return [placeOf(snapshot), asked.join(' '), owing.join(', ')].filter((part) => part !== '').join(' | ');
}
