import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, fromCallback, setup } from 'xstate';
import { catalogue } from '../../machines/index.ts';
import { chartOf } from '../../src/charts/chart.ts';
import { stately } from '../../src/charts/stately.ts';
import { imported, running, withoutWhatIsNotTold, written } from '../repository/stately/readings.ts';

/** What XState makes of the source text, with nothing else to go by. */
function built(source: string): AnyStateMachine {
  const [imports = '', body = ''] = source.split("from 'xstate';");
  expect(imports.trim()).toBe('import { fromCallback, setup }');
  return new Function('setup', 'fromCallback', body.replace('export const machine =', 'return'))(setup, fromCallback);
}

const literalOf = ({ config }: AnyStateMachine): unknown => JSON.parse(JSON.stringify({ ...config, context: {} }));

describe.each(catalogue)('$id', ({ machine }) => {
  const again = built(stately(machine));

  test('is built again from its source: states, targets, guards, actions, actors, descriptions, order', () => {
    expect(chartOf(again)).toEqual(chartOf(machine));
  });

  test('loses nothing that the chart as data leaves out', () => {
    expect(literalOf(again)).toEqual(literalOf(machine));
  });

  test('is read whole by whoever reads only text: as it stands there, and as the extractor tells it', () => {
    const runs = running(machine);
    expect(written(stately(machine))).toEqual(runs);
    expect(withoutWhatIsNotTold(imported(stately(machine)))).toEqual(withoutWhatIsNotTold(runs));
  });

  test('names in its setup all that it uses', () => {
    const named = ({ implementations: { actors, guards, actions } }: AnyStateMachine) => [actors, guards, actions].map((all) => Object.keys(all));
    expect(named(again)).toEqual(named(machine));
  });
});

test('what is odd is quoted, and functions are left out', () => {
  const odd = setup({ actions: { 'it\'s "a"\\ name': () => {} } }).createMachine({
    id: 'class',
    description: 'Two\nlines, `${x}`, \'one\' "two" \\" three',
    context: () => ({ heavy: true }),
    entry: () => {},
    on: { '*': { actions: 'it\'s "a"\\ name' }, 'a b': { actions: [] } },
    meta: { rank: -1.5, on: null, off: undefined, list: [[1, true], {}] },
  });
  const again = built(stately(odd));
  expect(again.config).toEqual({
    id: 'class',
    description: 'Two\nlines, `${x}`, \'one\' "two" \\" three',
    context: {},
    on: { '*': { actions: 'it\'s "a"\\ name' }, 'a b': { actions: [] } },
    meta: { rank: -1.5, on: null, list: [[1, true], {}] },
  });
});

test('is laid out to be read: on one line where it fits, and no line is longer than 120 characters but for its text', () => {
  const lines = catalogue.flatMap(({ machine }) => stately(machine).split('\n'));
  expect(lines).toContain("          entry: { type: 'owe', params: { actor: 'model' } },");
  expect(lines.filter((line) => line.length > 120 && !line.trimStart().startsWith('description:'))).toEqual([]);
});
