import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { catalogue } from '../../machines/index.ts';
import { mermaid } from '../../src/charts/mermaid.ts';

const kettle = setup({ guards: { isFull: () => true, isHot: () => true }, actions: { note: () => {} } }).createMachine({
  id: 'kettle',
  initial: 'empty',
  on: { drop: '.broken', look: { actions: 'note' } },
  states: {
    empty: { on: { fill: { guard: 'isFull', target: 'heating' }, wait: { target: 'empty', reenter: true } } },
    heating: {
      initial: 'slow',
      on: { cool: '.slow', fill: '#kettle.empty', pour: '#kettle.empty' },
      states: {
        slow: { on: { turn: 'fast' } },
        fast: { always: [{ guard: 'isHot', target: '#kettle.done' }, { target: 'slow' }] },
      },
    },
    broken: { type: 'final' },
    done: { type: 'final' },
  },
});

test('a machine is drawn with its nested states, guards, finals, and what holds anywhere', () => {
  expect(mermaid(kettle).split('\n')).toEqual([
    'stateDiagram-v2',
    '  [*] --> empty',
    '  state "anywhere" as anywhere',
    '  state "empty" as empty',
    '  state "heating" as heating {',
    '    [*] --> heating_slow',
    '    state "anywhere" as heating_anywhere',
    '    state "slow" as heating_slow',
    '    state "fast" as heating_fast',
    '  }',
    '  state "broken" as broken',
    '  broken --> [*]',
    '  state "done" as done',
    '  done --> [*]',
    '  anywhere --> broken : drop',
    '  empty --> heating : fill [isFull]',
    '  empty --> empty : wait',
    '  heating_anywhere --> heating_slow : cool',
    '  heating --> empty : fill or pour',
    '  heating_slow --> heating_fast : turn',
    '  heating_fast --> done : [isHot]',
    '  heating_fast --> heating_slow : otherwise',
  ]);
});

test('what lies deeper than asked for is drawn as the state it is part of', () => {
  const overview = mermaid(kettle, { depth: 1 }).split('\n');
  expect(overview).toContain('  state "heating" as heating');
  expect(overview.filter((line) => line.startsWith('  heating '))).toEqual([
    '  heating --> empty : fill or pour',
    '  heating --> done : [isHot]',
  ]);
});

test('a transition from a part to its whole is no arrow where only the whole is drawn', () => {
  const door = setup({}).createMachine({
    id: 'door',
    initial: 'shut',
    states: { shut: { initial: 'locked', states: { locked: { on: { push: '#door.shut' } } } } },
  });
  expect(mermaid(door, { depth: 1 }).split('\n')).toEqual([
    'stateDiagram-v2',
    '  [*] --> shut',
    '  state "shut" as shut',
  ]);
});

describe.each(catalogue)('$id', ({ machine }) => {
  const drawn = mermaid(machine).split('\n');
  const edges = drawn.flatMap((line) => / {2}(\w+) --> (\w+) : (.+)/.exec(line)?.slice(1, 3) ?? []);
  const states = drawn.flatMap((line) => / as (\w+)/.exec(line)?.[1] ?? []);

  test('every state is drawn once', () => {
    const own = states.filter((id) => !id.endsWith('anywhere'));
    const idsIn = ({ states }: typeof machine.root): string[] =>
      Object.values(states).flatMap((state) => [state.path.join('_'), ...idsIn(state)]);
    expect(own.toSorted()).toEqual(idsIn(machine.root).toSorted());
  });

  test('every arrow leads from a drawn state to a drawn state', () => {
    expect(edges.length).toBeGreaterThan(40);
    expect(edges.filter((id) => !states.includes(id))).toEqual([]);
  });

  test('each ending has the colours of its kind, the two limits the same', () => {
    const classes = Object.fromEntries(
      drawn.flatMap((line) => {
        const [, states = '', name] = / {2}class (\S+) (\w+)$/.exec(line) ?? [];
        return states.split(',').map((state) => [state, name]);
      }),
    );
    const defined = drawn.flatMap(
      (line) => / {2}classDef (\w+) fill:#\w{6},stroke:#\w{6},color:#\w{6}$/.exec(line)?.[1] ?? [],
    );
    expect(classes).toMatchObject({ success: 'successEnding', doom_loop: 'repetitionEnding', abort: 'abortEnding' });
    expect(classes).toMatchObject({ cap_hit: 'limitEnding', budget: 'limitEnding' });
    expect(defined).toEqual(['successEnding', 'limitEnding', 'repetitionEnding', 'abortEnding']);
  });

  test('labels hold nothing that Mermaid would read as syntax', () => {
    const labels = drawn.flatMap((line) => / --> \w+ : (.*)/.exec(line)?.[1] ?? []);
    expect(labels.filter((label) => /[:;#%{}]/.test(label))).toEqual([]);
  });
});

describe('what a run has done', () => {
  const marks = {
    active: ['heating', 'heating.fast'],
    visits: { empty: 2, heating: 1, 'heating.slow': 1, 'heating.fast': 1 },
    taken: { 'empty wait 0': 1, 'empty fill 0': 1, 'heating.slow turn 0': 3 },
  };

  test('states and labels say how often; the state it is in is bold', () => {
    const drawn = mermaid(kettle, { marks }).split('\n');
    expect(drawn).toContain('  state "empty ×2" as empty');
    expect(drawn).toContain('  state "heating ×1" as heating {');
    expect(drawn).toContain('  state "done" as done');
    expect(drawn).toContain('  empty --> empty : wait ×1');
    expect(drawn).toContain('  heating_slow --> heating_fast : turn ×3');
    expect(drawn).toContain('  heating_fast --> done : [isHot]');
    expect(drawn.slice(-2)).toEqual([
      '  classDef active font-weight:bold,stroke-width:4px',
      '  class heating_fast active',
    ]);
  });

  test('ways from several parts that are drawn as one add up', () => {
    const gate = setup({}).createMachine({
      id: 'gate',
      initial: 'shut',
      states: {
        shut: {
          initial: 'locked',
          states: { locked: { on: { turn: 'free', break: '#gate.open' } }, free: { on: { break: '#gate.open' } } },
        },
        open: {},
      },
    });
    const broken = { taken: { 'shut.locked break 0': 2, 'shut.free break 0': 3 } };
    expect(mermaid(gate, { depth: 1, marks: broken }).split('\n')).toContain('  shut --> open : break ×5');
  });

  test('arrows drawn as one add up, label by label, and the whole is bold if its parts are not drawn', () => {
    const twice = { ...marks, taken: { 'heating fill 0': 1, 'heating pour 0': 2, 'heating.fast always 0': 1 } };
    const drawn = mermaid(kettle, { depth: 1, marks: twice }).split('\n');
    expect(drawn).toContain('  heating --> empty : fill ×1 or pour ×2');
    expect(drawn).toContain('  heating --> done : [isHot] ×1');
    expect(drawn.at(-1)).toBe('  class heating active');
  });
});
