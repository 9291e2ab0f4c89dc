import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import { catalogue, type CatalogueEntry, type Migration } from '../../machines/index.ts';
import { fold, freezeState, hasEnded, lifeOf, open, refusalOf, type RunState } from '../../src/kernel/fold.ts';
import { MigrationError } from '../../src/kernel/migration.ts';
import { randomRuns } from '../../src/testing/choices.ts';
import { randomWalk } from '../../src/testing/random-walk.ts';
import { logOf, readHistory } from '../histories/history.ts';
import { fc } from '../support/fast-check.ts';
import { testInTurn } from '../support/in-turn.ts';
import { laterVersions, renaming, SECOND, THIRD } from '../support/later-versions.ts';
import { started } from '../support/facts.ts';
import { history } from '../support/run-history.ts';
import { environments } from '../support/environments.ts';

const two = laterVersions(SECOND);
const three = laterVersions(SECOND, THIRD);

/** At the version of the event before it: what refers to versions stays comparable. */
const migratedAt = ({ version, at }: RunState, from: string, to: string): Recorded<EventOf<'run.migrated'>> => ({
  type: 'run.migrated',
  payload: { from, to },
  version,
  at,
});

function moved(state: RunState): RunState {
  const to = state.entry.migration?.to.id;
  return to === undefined ? state : fold(state, migratedAt(state, state.entry.id, to));
}

/** What two versions of a machine have in common. */
const sameFor = ({ snapshot, outstanding, paused, version }: RunState) => ({
  status: snapshot.status,
  context: snapshot.context,
  outstanding,
  paused,
  version,
});

/** A run that is migrated at each of its versions goes on, event by event, as it did. */
function goesOnAlike(
  first: RunState,
  events: readonly Recorded<LoopEvent>[],
  places: (state: RunState) => unknown,
): void {
  const states = events.reduce<RunState[]>((all, event) => [...all, fold(all.at(-1) ?? first, event)], [first]);
  for (const [index, state] of states.entries()) {
    if (hasEnded(state)) continue;
    let now = moved(state);
    expect(now.entry).not.toBe(state.entry);
    expect(sameFor(now)).toEqual(sameFor(state));
    for (const [later, event] of events.slice(index).entries()) {
      expect(refusalOf(now, event)).toBeNull();
      now = fold(now, event);
      const before = states[index + later + 1];
      expect(before && sameFor(now)).toEqual(before && sameFor(before));
      expect(now.snapshot.value).toEqual(before && places(before));
    }
  }
}

const renamedPlace = (state: RunState): unknown => renaming(SECOND)({ value: state.snapshot.value, context: {} }).value;

function opened(beginning: Recorded<LoopEvent>, machines: readonly CatalogueEntry[]): RunState {
  const first = open(beginning as Recorded<EventOf<'run.started'>>, machines);
  if (first.kind !== 'opened') throw new Error(`unknown machine ${first.machine}`);
  return first.state;
}

describe('a recorded history goes on as it did, at whichever version it is migrated', () => {
  const folder = new URL('../histories/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

  test.each(files)('%s', async (file) => {
    const told = readHistory(new URL(file, folder));
    const log = await logOf(told);
    for (const { run } of told.runs) {
      const [first, ...rest] = await history(log, run);
      if (first) goesOnAlike(opened(first, two), rest, renamedPlace);
    }
  });
});

testInTurn.each(['turn', 'iteration', 'ralph'] as const)(
  'any %s goes on as it would have, at whichever version it is migrated',
  (loop) => {
    const entry = two.find(({ id }) => id === `${loop}@1`);
    if (!entry) throw new Error('no first version');
    const environment = environments[loop];
    fc.assert(
      fc.property(randomRuns(environment), fc.nat(), ({ opening, choices }, where) => {
        const beginning = environment.openings[opening] ?? started(loop);
        const { happenings, first } = randomWalk(entry, environment, beginning, choices);
        const from = where % (happenings.length + 1);
        const state = happenings[from - 1]?.after ?? first;
        if (hasEnded(state)) return;
        let now = moved(state);
        for (const { event, after } of happenings.slice(from)) {
          now = fold(now, event);
          expect(sameFor(now)).toEqual(sameFor(after));
        }
      }),
      { numRuns: 60 },
    );
  },
);

describe('a migration is refused, with the reason, where it would not hold', () => {
  const [first] = two;
  const state = opened({ ...started('turn'), at: '2026-03-01T12:00:00.000Z', version: 1 }, two);
  const reasonOf = (migrate: Migration['migrate']): string => {
    const to = first?.migration?.to;
    if (!first || !to) throw new Error('no second version');
    const event = migratedAt(state, 'turn@1', 'turn@2');
    const other = { ...state, entry: { ...first, migration: { to, migrate } } };
    expect(refusalOf(other, event)).toBe('unexpected');
    try {
      fold(other, event);
    } catch (error) {
      if (error instanceof MigrationError) return error.message;
      throw error;
    }
    throw new Error('it was taken');
  };
  const toPlace =
    (value: unknown): Migration['migrate'] =>
    (frozen) => ({ ...frozen, value });

  test.each<[string, Migration['migrate'], string]>([
    ['a place that there is no more', (frozen) => frozen, 'turn@2 has no state {"decide":"judging"}'],
    ['a place that asks for something else', toPlace({ stream: 'listening' }), 'what its state invokes would change'],
    ['a place that asks for less', toPlace({ stream: 'waiting' }), 'what its state invokes would change'],
    [
      'a member that is forgotten',
      ({ context: { steps: _, ...context }, ...frozen }) => ({ ...renaming(SECOND)({ ...frozen, context }) }),
      'has steps, which the migration does not set',
    ],
    [
      'effects that are forgotten',
      (frozen) => ({ ...renaming(SECOND)(frozen), children: {} }),
      'what was started would change',
    ],
    [
      'a debt that is made up',
      (frozen) => renaming(SECOND)({ ...frozen, context: { ...frozen.context, pending: { model: 'owed' } } }),
      'what is pending would change',
    ],
  ])('%s', (_what, migrate, reason) => expect(reasonOf(migrate)).toContain(reason));

  test('a version without a migration to it', () => {
    const known = opened({ ...started('turn'), at: state.at, version: 1 }, catalogue);
    expect(() => fold(known, migratedAt(known, 'turn@1', 'turn@2'))).toThrow(
      /there is no migration from turn@1 to turn@2.* Use the version/,
    );
  });

  test('from another version than its own', () => {
    expect(refusalOf(state, migratedAt(state, 'turn@0', 'turn@2'))).toBe('unexpected');
    expect(refusalOf(moved(state), migratedAt(state, 'turn@1', 'turn@2'))).toBe('unexpected');
  });

  test('a run that has ended', () => {
    const ended = { ...state, snapshot: { ...state.snapshot, status: 'done' } } as RunState;
    expect(refusalOf(ended, migratedAt(state, 'turn@1', 'turn@2'))).toBe('ended');
  });
});

test('a run goes through every version on the way, one event each', () => {
  const first = opened({ ...started('turn'), at: '2026-03-01T12:00:00.000Z', version: 1 }, three);
  const last = moved(moved(first));
  expect(last.entry.id).toBe('turn@3');
  expect(last.snapshot.value).toEqual({ decide: 'pondering' });
  expect(lifeOf(last)).toEqual(lifeOf(first));
  expect(freezeState(last)).toMatchObject({ machine: 'turn@3' });
});
