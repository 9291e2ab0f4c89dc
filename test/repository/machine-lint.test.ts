import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import { begin, type MachineSnapshot, step } from '../../src/runtime/step.ts';
import { type Path, placesOf, shortestPaths } from '../../src/testing/graph.ts';
import * as has from '../support/facts.ts';
import { clock } from '../support/given.ts';
import { passing } from '../support/places.ts';
import { everything } from '../support/wander.ts';
import { impurities } from './machine-sources.ts';
import { root } from './tool.ts';

type Machine = CatalogueEntry['machine'];
type Loop = 'turn' | 'iteration';

const withCalls: readonly LoopEvent[] = [
  ...everything,
  has.modelAskedFor('0.0', '0.1', '0.2'),
  has.callsAdmitted('0.0', '0.1?', '0.2>'),
  has.handedOverSettled('0.2'),
  ...[has.toolCompleted, has.toolFinished, has.toolFailed, has.toolInterrupted].map((happened) => happened('0.0')),
  has.personAnswered('0.1'),
];

const started = (loop: Loop, beginning: has.Beginning) => ({
  ...has.started(loop, beginning),
  at: clock(0),
  version: 1,
});
const beginnings = [{ checks: true }, { checks: false }, { checks: true, limits: { maxSteps: 0 } }];

/** Counters apart, what a machine's future depends on. */
function distinguish({ value, status, context }: MachineSnapshot): string {
  const { pending, outcome }: Life = context;
  const flags = ['abort', 'fault', 'deadlinePassed', 'finished', 'attempt'].map((name) => Boolean(context[name]));
  return JSON.stringify([value, status, pending, flags, outcome?.ending]);
}

const explored = (machine: Machine, loop: Loop, beginning: has.Beginning): readonly Path[] =>
  shortestPaths({ machine, started: started(loop, beginning), events: () => withCalls, distinguish });

const unreached = (machine: Machine, paths: readonly Path[]): string[] =>
  placesOf(machine).filter((place) => !passing.includes(place) && !paths.some((path) => path.place === place));

describe.each(catalogue)('$id', ({ id, machine }) => {
  const loop = id.startsWith('turn@') ? 'turn' : 'iteration';

  test('has no place that is never reached, and no actor that is never started', () => {
    const reached = new Set<string>();
    const performed = new Set<string>();
    for (const beginning of beginnings) {
      const paths = explored(machine, loop, beginning);
      for (const { place } of paths) reached.add(place);
      for (const { events } of paths) startedBy(machine, started(loop, beginning), events, performed);
    }
    const paths = [...reached].map((place) => ({ place, events: [] }));
    expect(unreached(machine, paths)).toEqual([]);
    expect([...performed].toSorted()).toEqual(Object.keys(machine.implementations.actors).toSorted());
  });
});

function startedBy(
  machine: Machine,
  opening: ReturnType<typeof started>,
  events: readonly LoopEvent[],
  actors: Set<string>,
): void {
  let now = begin(machine, opening);
  for (const event of [null, ...events]) {
    if (event) now = step(machine, now.snapshot, { ...event, at: opening.at, version: opening.version });
    for (const effect of now.effects) if (effect.kind === 'start') actors.add(effect.actor);
  }
}

describe('machines know nothing but what they are told', () => {
  const within = join(root, 'machines');
  const sources = readdirSync(within, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

  test('there are sources to read', () => expect(sources.length).toBeGreaterThanOrEqual(7));

  test.each(sources)('%s', (path) => expect(impurities(readFileSync(join(within, path), 'utf8'))).toEqual([]));

  test.each([
    ["import { now } from 'node:process';", 'import of node:process'],
    ["import { fold } from '../src/runtime/fold.ts';", 'import of ../src/runtime/fold.ts'],
    ["import { Subject } from 'rxjs';", 'import of rxjs'],
    ["const later = import('./later.ts');", 'import()'],
    ['const soon = async () => 1;', 'async'],
    ['const then = await soon;', 'async'],
    ['const at = Date.now();', 'Date.now'],
    ['const at = new Date().toISOString();', 'new Date()'],
    ['const at = Date();', 'Date()'],
    ['const dice = Math.random();', 'Math.random'],
    ['const id = crypto.randomUUID();', 'crypto'],
    ['const home = process.env;', 'process'],
    ['const wait = setTimeout;', 'setTimeout'],
    ['const page = fetch(address);', 'fetch'],
    ["setup({}).createMachine({ id: NAME });", 'NAME in a chart'],
    ["setup({}).createMachine({ states: { ...shared } });", 'a spread in a chart'],
    ["setup({}).createMachine({ states: { [name]: {} } });", 'a computed name in a chart'],
    ["setup({}).createMachine({ states });", 'a variable in a chart'],
    ["setup({}).createMachine({ on: { a: { actions: [note()] } } });", 'note() in a chart'],
  ])('%s is caught', (text, what) => expect(impurities(text)).toEqual([`line 1: ${what}`]));

  test.each([
    'const at = new Date(Date.parse(event.at) + 1).toISOString();',
    '// process, await, Date.now: words in a comment',
    "const step = { process: 'a word', crypto: 1 }; step.process;",
    "setup({}).createMachine({ context: ({ input }) => ({ ...born(input) }), on: { a: { actions: ['note'] } } });",
  ])('%s is fine', (text) => expect(impurities(text)).toEqual([]));
});
