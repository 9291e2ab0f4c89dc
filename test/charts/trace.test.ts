import { describe, expect, test } from 'vitest';
import { type AnyMachineSnapshot, type AnyStateMachine, createMachine, initialTransition, transition } from 'xstate';
import { catalogue, type CatalogueEntry, loopNameOf } from '../../machines/index.ts';
import { RunTrace } from '../../src/charts/trace.ts';
import { transitionsOf } from '../../src/charts/transitions.ts';
import { open } from '../../src/kernel/fold.ts';
import { placeOf } from '../../src/kernel/position.ts';
import type { RandomWalk } from '../../src/testing/random-walk.ts';
import { fc } from '../support/fast-check.ts';
import { laterVersions, SECOND } from '../support/later-versions.ts';
import type { Loop } from '../support/facts.ts';
import { randomRunsOf, walkOf } from '../support/random.ts';
import { seed } from '../support/seed.ts';

const ENTERED = 'entered';
interface Config {
  readonly entry?: unknown;
  readonly states?: Readonly<Record<string, Config>>;
}

/** The same chart, except that each state says when it is entered. */
function saying(machine: AnyStateMachine): AnyStateMachine {
  const heard = (config: Config, path: readonly string[]): object => ({
    ...config,
    entry: [{ type: ENTERED, params: { path: path.join('.') } }, config.entry ?? []].flat(),
    ...(config.states
      ? {
          states: Object.fromEntries(
            Object.entries(config.states).map(([key, inner]) => [key, heard(inner, [...path, key])]),
          ),
        }
      : {}),
  });
  return createMachine(heard(machine.config as Config, []), machine.implementations as object);
}

/** Which states XState itself enters in a run, as often as it does. */
function visitsBy(machine: AnyStateMachine, { started, happenings }: RandomWalk): Record<string, number> {
  const visits: Record<string, number> = {};
  const hear = (actions: ReturnType<typeof initialTransition>[1]) => {
    for (const { type, params } of actions) {
      if (type !== ENTERED) continue;
      const { path } = params as { readonly path: string };
      if (path !== '') visits[path] = (visits[path] ?? 0) + 1;
    }
  };
  let [snapshot, actions]: [AnyMachineSnapshot, Parameters<typeof hear>[0]] = initialTransition(machine, { started });
  hear(actions);
  for (const { event } of happenings) {
    [snapshot, actions] = transition(machine, snapshot, event);
    hear(actions);
  }
  return visits;
}

function footprintsOf(
  entry: CatalogueEntry,
  { started, happenings }: Pick<RandomWalk, 'started' | 'happenings'>,
): RunTrace {
  const opened = open(started, [entry]);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  const footprints = new RunTrace(opened.state);
  for (const { event } of happenings) footprints.observe(event);
  return footprints;
}

describe.each(catalogue)('$id', (entry) => {
  const loop = loopNameOf(entry.id) as Loop;
  const heard = saying(entry.machine);

  test('states are counted as often as XState enters them, wherever a run goes', () => {
    fc.assert(
      fc.property(randomRunsOf(loop), (chance) => {
        const walked = walkOf(loop, chance);
        expect(footprintsOf(entry, walked).marks.visits).toEqual(visitsBy(heard, walked));
      }),
      { numRuns: 40, seed },
    );
  });

  test('an arrow is taken from a state that was visited, and each event that was accepted took one', () => {
    const byId = new Map(transitionsOf(entry.machine).map((one) => [one.id, one]));
    fc.assert(
      fc.property(randomRunsOf(loop), (chance) => {
        const walked = walkOf(loop, chance);
        const { visits, taken } = footprintsOf(entry, walked).marks;
        for (const id of Object.keys(taken)) {
          const from = byId.get(id)?.from.path.join('.');
          if (from !== '') expect(visits).toHaveProperty([from ?? id]);
        }
        const byEvent = Object.entries(taken)
          .filter(([id]) => byId.get(id)?.event !== null)
          .map(([, times]) => times);
        expect(byEvent.reduce((sum, times) => sum + times, 0)).toBe(walked.happenings.length);
      }),
      { numRuns: 40, seed },
    );
  });

  test('a run stands where it stands, in every state around that too', () => {
    fc.assert(
      fc.property(randomRunsOf(loop), (chance) => {
        const walked = walkOf(loop, chance);
        const { active } = footprintsOf(entry, walked).marks;
        const place = placeOf(walked.last.snapshot);
        expect(active).toEqual(place.split('.').map((_, level, keys) => keys.slice(0, level + 1).join('.')));
      }),
      { numRuns: 30, seed },
    );
  });
});

const answers = { does: 'answer', which: 0, afterMs: 0, times: 1 } as const;

test('a run migrated to another version is counted from there, on the chart of that version', () => {
  const first = entryIn(laterVersions(SECOND), 'turn@1');
  const { started, happenings } = walkOf('turn', { opening: 'checked', choices: [answers, answers, answers] });
  const footprints = footprintsOf(first, { started, happenings });
  const { version, at, entry } = footprints.state;
  expect(Object.keys(footprints.marks.taken).length).toBeGreaterThan(0);
  footprints.observe({ type: 'run.migrated', payload: { from: entry.id, to: 'turn@2' }, version: version + 1, at });
  const { active, visits, taken } = footprints.marks;
  expect({ machine: footprints.state.entry.id, taken }).toEqual({ machine: 'turn@2', taken: {} });
  expect(visits).toEqual(Object.fromEntries(active.map((path) => [path, 1])));
  expect(active.length).toBeGreaterThan(0);
});

function entryIn(machines: readonly CatalogueEntry[], id: string): CatalogueEntry {
  const found = machines.find((entry) => entry.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
}
