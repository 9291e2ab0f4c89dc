import type { LoopEvent } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { OpenedPath } from '../../src/testing/paths.ts';
import type { ProofEnvironment } from '../../src/testing/proof-environment.ts';
import { tell } from './pins.ts';

/** Ways of a loop by their names as a file has them, to be read by people: one line for what happens at once. */
export function pinning(
  loop: CatalogueEntry,
  { openings, noise }: ProofEnvironment,
  named: ReadonlyMap<string, OpenedPath>,
): string {
  const ways = [...named].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const names = namesFor([...ways.flatMap(([, { events }]) => events), ...noise]);
  const events = Object.fromEntries([...names].map(([text, name]) => [name, JSON.parse(text) as LoopEvent]));
  const used = new Set(ways.map(([, { opening }]) => opening));
  return members('', {
    openings: members('  ', ofEach(Object.entries(openings).filter(([name]) => used.has(name)))),
    events: members('  ', ofEach(Object.entries(events))),
    ways: members(
      '  ',
      Object.fromEntries(
        ways.map(([id, way]) => {
          const started = openings[way.opening];
          if (!started) throw new Error(`no opening ${way.opening}`);
          const said = way.events.map((event) => names.get(JSON.stringify(event)) ?? '');
          const { follows, changes, takes } = tell(loop, started, said, events);
          const opening = JSON.stringify(way.opening);
          return [
            id,
            members('    ', {
              opening,
              events: JSON.stringify(said),
              follows: items('      ', follows),
              changes: JSON.stringify(changes),
              takes: JSON.stringify(takes),
            }),
          ];
        }),
      ),
    ),
  }).concat('\n');
}

/** By what they say: their type, and a number from the second of a type on. */
function namesFor(events: readonly LoopEvent[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const many = new Map<string, number>();
  for (const event of events) {
    const text = JSON.stringify(event);
    if (names.has(text)) continue;
    const count = (many.get(event.type) ?? 0) + 1;
    many.set(event.type, count);
    names.set(text, count === 1 ? event.type : `${event.type} ${count}`);
  }
  return names;
}

const ofEach = (entries: readonly (readonly [string, unknown])[]): Record<string, string> =>
  Object.fromEntries(entries.map(([name, value]) => [name, JSON.stringify(value)]));

function members(indent: string, parts: Readonly<Record<string, string>>): string {
  const lines = Object.entries(parts).map(([name, text]) => `${indent}  ${JSON.stringify(name)}: ${text}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

const items = (indent: string, texts: readonly string[]): string =>
  `[\n${texts.map((text) => `${indent}  ${JSON.stringify(text)}`).join(',\n')}\n${indent}]`;
