import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { catalogue } from '../../machines/index.ts';
import { turn } from '../../machines/turn.machine.ts';
import { type Chart, chartOf } from '../../src/charts/chart.ts';
import { palettes } from '../../src/charts/drawing/palette.ts';
import { svg } from '../../src/charts/svg.ts';
import { fc } from '../support/fast-check.ts';
import { testInTurn } from '../support/in-turn.ts';
import { tenthOfMany } from '../support/tenth.ts';
import { anyMachine } from './drawing/any-machine.ts';

const kettle = setup({
  guards: { isFull: () => true, 'is<hot>&"ready"': () => true },
  actions: { note: () => {} },
}).createMachine({
  id: 'kettle & co',
  description: 'Boils <water> & waits.',
  initial: 'empty',
  on: { drop: '.broken', look: { actions: 'note', description: 'Nothing "happens".' } },
  states: {
    empty: { on: { fill: { guard: 'isFull', target: 'heating' }, wait: { target: 'empty', reenter: true } } },
    heating: {
      initial: 'slow',
      on: {
        fill: '#kettle & co.empty',
        stir: { target: '#kettle & co.heating', reenter: true },
        'say "hot"': '#kettle & co.done',
      },
      states: {
        slow: {
          on: { turn: 'fast', fill: { target: '#kettle & co.empty', actions: 'note' }, pour: '#kettle & co.heating' },
        },
        fast: { always: [{ guard: 'is<hot>&"ready"', target: '#kettle & co.done' }, { target: 'slow' }] },
      },
    },
    broken: { type: 'final' },
    done: { type: 'final' },
  },
});

describe.each(catalogue)('$id', ({ machine }) => {
  const chart = chartOf(machine);

  testInTurn('is drawn whole: each state once, each transition once, by its path or id', async () => {
    const elements = parsed(await svg(machine));
    expect(drawnOf(elements)).toEqual(allOf(chart));
  });

  testInTurn('gives the same text every time', async () => {
    expect(await svg(machine)).toBe(await svg(machine));
  });

  test('with arrows alone, all that leads anywhere is drawn, and nothing else', async () => {
    const leading = chart.transitions.filter(({ to }) => to.length > 0).map(({ id }) => id);
    const drawn = valuesOf(parsed(await svg(machine, { detail: 'arrows' })), 'data-transition');
    expect(drawn.toSorted()).toEqual(leading.toSorted());
  });

  test('an overview has the outer states, and every way from one to another', async () => {
    const elements = parsed(await svg(machine, { depth: 1, detail: 'arrows' }));
    const outer = (path: string): string => path.split('.')[0] ?? '';
    const leading = chart.transitions.filter(({ from, to }) =>
      to.some((path) => outer(path) !== outer(from) || (path === from && from === outer(from))),
    );
    const states = chart.states.filter(({ parent }) => parent === '');
    expect(valuesOf(elements, 'data-state')).toEqual(states.map(({ path }) => path));
    expect(valuesOf(elements, 'data-transition').toSorted()).toEqual(leading.map(({ id }) => id).toSorted());
  });
});

test('title and description are there for screen readers, and names are escaped', async () => {
  const drawn = await svg(kettle);
  const elements = parsed(drawn);
  expect(elements[0]?.attributes).toMatchObject({ role: 'img', xmlns: 'http://www.w3.org/2000/svg' });
  expect(textsOf(drawn, 'title')).toEqual(['kettle & co', 'Nothing "happens".']);
  expect(textsOf(drawn, 'desc')).toEqual(['Boils <water> & waits.']);
  expect(textsOf(drawn, 'text')).toContain('[is<hot>&"ready"]');
  expect(valuesOf(elements, 'data-transition')).toContain('heating say "hot" 0');
});

test('lines say event, guard, and on demand what follows; loops have a sign of their own', async () => {
  const plainly = textsOf(await svg(kettle), 'text');
  expect(plainly).toEqual(expect.arrayContaining(['fill [isFull]', '[else]', 'look', '↻ wait', '↻ stir', 'pour']));
  expect(plainly.filter((words) => words === 'anywhere')).toHaveLength(1);
  const wordily = textsOf(await svg(kettle, { detail: 'actions' }), 'text');
  expect(wordily).toEqual(expect.arrayContaining(['look / note', 'fill / note']));
  expect(textsOf(await svg(kettle, { detail: 'arrows' }), 'text')).not.toContain('look');
});

test('ways between the same two states are one arrow; those that read alike are one line of it', async () => {
  const [whole, outer] = [await svg(kettle), await svg(kettle, { depth: 1 })];
  expect(textsOf(whole, 'text').filter((words) => words === 'fill')).toHaveLength(2);
  expect(textsOf(outer, 'text').filter((words) => words === 'fill')).toHaveLength(1);
  expect(valuesOf(parsed(outer), 'data-transition')).toEqual(
    expect.arrayContaining(['heating fill 0', 'heating.slow fill 0']),
  );
});

test('what is taken as soon as it holds is dashed; endings have a double border', async () => {
  const elements = parsed(await svg(kettle));
  expect(classesOf(elements, 'g').filter((name) => name === 'arrow always')).toHaveLength(2);
  expect(classesOf(elements, 'rect').filter((name) => name === 'inner')).toHaveLength(2);
});

testInTurn('marks show where a run is, how often it was where, and which ways it never took', async () => {
  const marks = {
    active: ['decide.judging'],
    visits: { stream: 12, 'stream.asking': 14 },
    taken: { 'decide.judging decision.made 1': 12 },
  };
  const drawn = await svg(turn, { marks });
  const elements = parsed(drawn);
  const active = elements.filter(({ attributes }) => attributes.class?.includes('active'));
  expect(active.map(({ attributes }) => attributes['data-state'])).toEqual(['decide', 'decide.judging']);
  expect(classesOf(elements, 'circle').filter((name) => name === 'here')).toHaveLength(2);
  expect(textsOf(drawn, 'text')).toEqual(expect.arrayContaining(['×12', '×14', 'decision.made [goesOn] ×12']));
  expect(classesOf(elements, 'g').filter((name) => name.endsWith(' taken'))).toEqual(['arrow event taken']);
  expect(classesOf(elements, 'g').filter((name) => name.endsWith(' untaken')).length).toBeGreaterThan(20);
  expect(classesOf(parsed(await svg(turn)), 'g').filter((name) => name.endsWith('taken'))).toEqual([]);
});

test('colours are plain attributes of every shape and text, for viewers without style sheets', async () => {
  const drawn = parsed(await svg(turn, { marks: { active: ['decide'], visits: { decide: 2 }, taken: {} } }));
  const inked = drawn.filter(({ name }) => ['rect', 'circle', 'path', 'text'].includes(name));
  expect(inked.length).toBeGreaterThan(150);
  expect(inked.filter(({ attributes: { fill = '' } }) => !/^(#[0-9a-f]{6}|none)$/.test(fill))).toEqual([]);
  const bare = inked.filter(
    ({ attributes: { fill, stroke = '' } }) => fill === 'none' && !/^#[0-9a-f]{6}$/.test(stroke),
  );
  expect(bare).toEqual([]);
});

test('with variables each plain colour is replaced by one; without them the style sheet is empty', async () => {
  const drawn = await svg(turn);
  const [sheet = ''] = textsOf(drawn, 'style');
  const colours = [...drawn.matchAll(/(fill|stroke)="(#[0-9a-f]{6})"/g)];
  const replaced = colours.filter(([, attribute, colour]) =>
    sheet.includes(`[${attribute}="${colour}"]{${attribute}:var(`),
  );
  expect(replaced).toHaveLength(colours.length);
  expect(sheet.trim()).toMatch(/^@supports \(fill:var\(--text\)\)\{[^]*\n\}$/);
  expect(sheet).toContain('@media (prefers-color-scheme:dark)');
});

testInTurn(
  'an ending has the colours of its kind, also if the run has reached it; other final states none',
  async () => {
    const frames = (drawn: string) =>
      Object.fromEntries(
        [...drawn.matchAll(/data-state="(\w+)"><title>[^<]*<\/title><rect [^>]*?fill="(#\w+)"/g)].map(
          ([, state, fill]) => [state, fill],
        ),
      );
    const { light } = palettes;
    const expected = {
      success: light.success,
      cap_hit: light.limit,
      doom_loop: light.repetition,
      budget: light.limit,
      abort: light.abort,
    };
    expect(frames(await svg(turn))).toMatchObject(expected);
    expect(frames(await svg(turn, { marks: { active: ['abort'] } }))).toMatchObject(expected);
    const plain = await svg(kettle);
    expect(
      [light.success, light.limit, light.repetition, light.abort].filter((colour) =>
        plain.includes(`fill="${colour}"`),
      ),
    ).toEqual([]);
  },
);

test('any machine is drawn whole, as XML', async () => {
  await fc.assert(
    fc.asyncProperty(anyMachine, async (machine) => {
      const chart = chartOf(machine);
      const elements = parsed(await svg(machine));
      expect(drawnOf(elements)).toEqual(allOf(chart));
    }),
    { numRuns: tenthOfMany(120) },
  );
});

test('regions side by side are drawn, and start together', async () => {
  const radio = setup({}).createMachine({
    id: 'radio',
    type: 'parallel',
    states: {
      sound: { initial: 'on', states: { on: { on: { mute: 'off' } }, off: {} } },
      light: { on: { dim: '#radio' } },
    },
  });
  const elements = parsed(await svg(radio));
  expect(valuesOf(elements, 'data-state')).toEqual(['sound', 'sound.on', 'sound.off', 'light']);
  expect(classesOf(elements, 'g').filter((name) => name === 'arrow start')).toHaveLength(3);
});

test('who draws nothing loads no layout', async () => {
  const loaded = `
    const { createRequire } = await import('node:module');
    await import(${JSON.stringify(join(import.meta.dirname, '../../src/charts/svg.ts'))});
    console.log(Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('elk')).length);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', loaded], {
    cwd: join(import.meta.dirname, '../..'),
  });
  expect(stdout.trim()).toBe('0');
});

/** Its elements in order. Throws where it is not well-formed. */
function parsed(xml: string): SaxesTagPlain[] {
  const parser = new SaxesParser();
  const elements: SaxesTagPlain[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (element) => elements.push(element));
  parser.write(xml).close();
  return elements;
}

function textsOf(xml: string, name: string): string[] {
  const parser = new SaxesParser();
  const texts: string[] = [];
  let words = '';
  parser.on('opentag', () => (words = ''));
  parser.on('text', (text) => (words += text));
  parser.on('closetag', (element) => {
    if (element.name === name) texts.push(words);
  });
  parser.write(xml).close();
  return texts;
}

const drawnOf = (elements: readonly SaxesTagPlain[]): { states: string[]; transitions: string[] } => ({
  states: valuesOf(elements, 'data-state').toSorted(),
  transitions: valuesOf(elements, 'data-transition').toSorted(),
});

const allOf = ({ states, transitions }: Chart): { states: string[]; transitions: string[] } => ({
  states: states.flatMap(({ path, parent }) => (parent === null ? [] : [path])).toSorted(),
  transitions: transitions.map(({ id }) => id).toSorted(),
});

const valuesOf = (elements: readonly SaxesTagPlain[], attribute: string): string[] =>
  elements.flatMap(({ attributes }) => attributes[attribute] ?? []);

const classesOf = (elements: readonly SaxesTagPlain[], name: string): string[] =>
  valuesOf(
    elements.filter((element) => element.name === name),
    'class',
  );
