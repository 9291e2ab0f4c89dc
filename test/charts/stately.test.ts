import { describe, expect, test } from 'vitest';
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  fromCallback,
  initialTransition,
  setup,
  transition,
} from 'xstate';
import { catalogue } from '../../machines/index.ts';
import { chartOf } from '../../src/charts/chart.ts';
import { innermostOf, pathOf, transitionsOf } from '../../src/charts/transitions.ts';
import { stately } from '../../src/charts/stately.ts';
import { imported, running, withoutWhatIsNotTold, written } from '../repository/stately/readings.ts';
import { testInTurn } from '../support/in-turn.ts';

/** What XState makes of the source text, with nothing else to go by. */
function built(source: string): AnyStateMachine {
  const [imports = '', body = ''] = source.split("from 'xstate';");
  expect(imports.trim()).toBe('import { fromCallback, setup }');
  return new Function('setup', 'fromCallback', body.replace('export const machine =', 'return'))(setup, fromCallback);
}

/** Every place that events can bring a simulation to, with any of the guards told not to hold. */
function placesReached(machine: AnyStateMachine): Set<string> {
  const guards = Object.keys(machine.implementations.guards);
  const told = (holding: readonly string[]) =>
    Object.fromEntries(guards.filter((name) => !holding.includes(name)).map((name) => [name, false]));
  const transitions = transitionsOf(machine);
  const following = transitions.flatMap(({ event, guard }) => (event === null && guard !== null ? [guard] : []));
  const ways = transitions.flatMap(({ event, guard }) =>
    event === null
      ? []
      : [null, ...following].map((next) => ({ type: event, ...told([guard, next].filter((name) => name !== null)) })),
  );
  const [first] = initialTransition(machine);
  const reached = new Map<string, AnyMachineSnapshot>([[JSON.stringify(first.value), first]]);
  // Iterating a map includes the entries that are added meanwhile.
  for (const snapshot of reached.values()) {
    for (const event of ways) {
      const [next] = transition(machine, snapshot, event);
      const key = JSON.stringify(next.value);
      if (!reached.has(key)) reached.set(key, next);
    }
  }
  return new Set([...reached.values()].flatMap(({ _nodes }) => _nodes.map(pathOf)));
}

/** A state that is left as soon as it is entered, whatever the guards say, so that nothing can rest in it. */
const isPassedThrough = ({ always = [] }: AnyStateMachine['root']): boolean =>
  always.some(({ guard }) => guard === undefined);

const literalOf = ({ config }: AnyStateMachine): unknown => JSON.parse(JSON.stringify({ ...config, context: {} }));

describe.each(catalogue)('$id', ({ machine }) => {
  const again = built(stately(machine));

  test('is built again from its source: states, targets, guards, actions, actors, descriptions, order', () => {
    expect(chartOf(again)).toEqual(chartOf(machine));
  });

  test('loses nothing that the chart as data leaves out', () => {
    expect(literalOf(again)).toEqual(literalOf(machine));
  });

  test('is read completely from its text alone, by the compiler and by the extractor of Stately', () => {
    const runs = running(machine);
    expect(written(stately(machine))).toEqual(runs);
    expect(withoutWhatIsNotTold(imported(stately(machine)))).toEqual(withoutWhatIsNotTold(runs));
  });

  testInTurn('a simulation reaches every state, and rests in each that is not passed through', () => {
    const expected = innermostOf(again.root).filter((node) => !isPassedThrough(node));
    const reached = placesReached(again);
    expect(expected.map(pathOf).filter((place) => !reached.has(place))).toEqual([]);
    expect(expected.length).toBeGreaterThan(10);
  });

  test('its guards hold unless the event says otherwise', () => {
    const { guards } = again.implementations;
    for (const [name, guard] of Object.entries(guards)) {
      const holds = (event: object): unknown => (guard as (on: { event: object }) => unknown)({ event });
      expect([name, holds({ type: 'any' }), holds({ type: 'any', [name]: false })]).toEqual([name, true, false]);
    }
  });

  test('names in its setup all that it uses', () => {
    const named = ({ implementations: { actors, guards, actions } }: AnyStateMachine) =>
      [actors, guards, actions].map((all) => Object.keys(all));
    expect(named(again)).toEqual(named(machine));
  });
});

test('what is odd is quoted, and functions are left out', () => {
  const odd = setup({ guards: { "isn't": () => true }, actions: { 'it\'s "a"\\ name': () => {} } }).createMachine({
    id: 'class',
    description: 'Two\nlines, `${x}`, \'one\' "two" \\" three',
    context: () => ({ heavy: true }),
    entry: () => {},
    on: { '*': { actions: 'it\'s "a"\\ name' }, 'a b': { actions: [] } },
    meta: { rank: -1.5, on: null, off: undefined, list: [[1, true], {}] },
  });
  const again = built(stately(odd));
  expect(stately(odd)).toContain(String.raw`'isn\'t': ({ event }) => event['isn\'t'] !== false,`);
  expect(again.config).toEqual({
    id: 'class',
    description: 'Two\nlines, `${x}`, \'one\' "two" \\" three',
    context: {},
    on: { '*': { actions: 'it\'s "a"\\ name' }, 'a b': { actions: [] } },
    meta: { rank: -1.5, on: null, list: [[1, true], {}] },
  });
});

testInTurn('is laid out to be read: on one line if it fits in 120 characters, except for its texts', () => {
  const lines = catalogue.flatMap(({ machine }) => stately(machine).split('\n'));
  expect(lines).toContain("          entry: { type: 'awaitResult', params: { actor: 'model' } },");
  expect(lines.filter((line) => line.length > 120 && !line.trimStart().startsWith('description:'))).toEqual([]);
});
