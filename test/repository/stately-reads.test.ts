import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { catalogue, type CatalogueEntry, loopNameOf, newestOf } from '../../machines/index.ts';
import { scratch } from './scratch.ts';
import { extracted } from './stately/extractor.ts';
import { imported, running, withoutWhatIsNotTold, written } from './stately/readings.ts';
import { root } from './tool.ts';

const sourceOf = (loop: string): string => readFileSync(join(root, 'machines', `${loop}.machine.ts`), 'utf8');

const newest = [...new Set(catalogue.map(({ id }) => loopNameOf(id)))].map(
  (loop) => [loop, newestOf(loop, catalogue)?.id ?? ''] as const,
);

describe.each(newest)('what stands in the source of %s is what runs', (loop, id) => {
  const runs = running(entryOf(id).machine);

  test('to the last literal', () => expect(written(sourceOf(loop))).toEqual(runs));

  test('and so the extractor tells it', () =>
    expect(withoutWhatIsNotTold(imported(sourceOf(loop)))).toEqual(withoutWhatIsNotTold(runs)));

  test('and to its targets, as the extractor resolves them', () => {
    const resolved = extracted(sourceOf(loop))
      .getTransitionTargets()
      .map(({ fromPath, transitionPath, targetPath }) => [
        fromPath.join('.'),
        transitionPath.filter((part) => part !== 'on').join(' '),
        ...targetPath.map((path) => path?.join('.')),
      ]);
    const taken = runs.places.flatMap(({ path, ways }) =>
      ways.flatMap(({ event, index, target }) => (target.length > 0 ? [[path, `${event} ${index}`, ...target]] : [])),
    );
    expect(resolved.toSorted()).toEqual(taken.toSorted());
  });
});

function entryOf(id: string): CatalogueEntry {
  const entry = catalogue.find((one) => one.id === id);
  if (!entry) throw new Error(`${id} is not in the catalogue`);
  return entry;
}

/** The smallest chart in which every property that is compared has a value. */
const small = `
import { fromCallback, setup } from 'xstate';
import * as elsewhere from './elsewhere.ts';
export const small = setup({
  actors: { work: fromCallback(() => {}) },
  guards: { may: () => true },
  actions: { note: () => {} },
}).createMachine({
  id: 'small',
  version: '1',
  description: 'Small.',
  initial: 'first',
  states: {
    first: {
      description: 'A place.',
      entry: 'note',
      exit: { type: 'note', params: { of: 'exit' } },
      invoke: { id: 'work', src: 'work', input: { of: 'first' } },
      on: {
        go: [
          { guard: 'may', target: 'second', reenter: true, actions: 'note', description: 'On.' },
          { target: 'third' },
        ],
      },
    },
    second: { type: 'final' },
    third: { always: 'second' },
  },
});
export { elsewhere };
`;

const elsewhere = `
export const [ID, ONE, SMALL, FIRST, SECOND, THIRD, FINAL, NOTE, WORK, MAY, YES] =
  ['small', '1', 'Small.', 'first', 'second', 'third', 'final', 'note', 'work', 'may', true] as const;
export const ways = () => [
  { guard: 'may', target: 'second', reenter: true, actions: 'note', description: 'On.' }, { target: 'third' },
] as const;
export const more = () => ({ fourth: {} });
export const soon = () => ({ 9: 'second' }) as const;
export const others = () => ({ other: () => true });
`;

function read(source: string) {
  const folder = scratch({
    'small.machine.ts': source,
    'elsewhere.ts': elsewhere,
    'package.json': '{"type":"module"}',
  });
  const { small } = createRequire(join(folder, 'package.json'))('./small.machine.ts') as {
    small: CatalogueEntry['machine'];
  };
  return running(small);
}

/** What is written so that it still runs, and is seen no more, or otherwise than it runs. */
const vanishing: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'an imported id': ["id: 'small'", 'id: elsewhere.ID'],
  'an imported description': ["description: 'Small.'", 'description: elsewhere.SMALL'],
  'an imported initial state': ["initial: 'first'", 'initial: elsewhere.FIRST'],
  'an imported type': ["type: 'final'", 'type: elsewhere.FINAL'],
  'an imported entry action': ["entry: 'note'", 'entry: elsewhere.NOTE'],
  'an entry action without a name': ["entry: 'note'", 'entry: () => {}'],
  'dynamic params of an exit action': ["params: { of: 'exit' }", "params: () => ({ of: 'exit' })"],
  'an imported actor id': ["id: 'work'", 'id: elsewhere.WORK'],
  'an imported actor': ["src: 'work'", 'src: elsewhere.WORK'],
  'an imported guard': ["guard: 'may'", 'guard: elsewhere.MAY'],
  'a guard without a name': ["guard: 'may'", 'guard: () => true'],
  'an imported target': ["target: 'third'", 'target: elsewhere.THIRD'],
  'a target of an imported name': ["always: 'second'", 'always: elsewhere.SECOND'],
  'an imported action': ["actions: 'note'", 'actions: elsewhere.NOTE'],
  'a list of actions with a spread call': ["actions: 'note'", 'actions: [...[elsewhere.NOTE]]'],
  'candidates from a call': [
    small.slice(small.indexOf('['), small.indexOf('      },\n    },\n    second')),
    'elsewhere.ways(),\n',
  ],
  'states from a call': ['third: {', '...elsewhere.more(), third: {'],
  'a state of a computed name': ['third: {', '[elsewhere.THIRD]: {'],
  'delays from a call': ["third: { always: 'second' }", 'third: { after: elsewhere.soon() }'],
  'a delay': ["third: { always: 'second' }", "third: { after: { 9: 'second' } }"],
  'a state that satisfies a type': ["second: { type: 'final' }", "second: { type: 'final' } satisfies object"],
  'a chart that satisfies a type': ['  },\n});', '  },\n} satisfies object);'],
};

/** The same, of which the extractor tells nothing: an extractor that does makes this list shorter. */
const untold: typeof vanishing = {
  'an imported version': ["version: '1'", 'version: elsewhere.ONE'],
  'an imported reentry': ['reenter: true', 'reenter: elsewhere.YES'],
  'a function for input': ["input: { of: 'first' }", "input: () => ({ of: 'first' })"],
  'implementations from a call': ['may: () => true', 'may: () => true, ...elsewhere.others()'],
};

describe('a small chart', () => {
  test('is read as it runs', () => {
    expect(written(small)).toEqual(read(small));
    expect(withoutWhatIsNotTold(imported(small))).toEqual(withoutWhatIsNotTold(read(small)));
  });

  test('has another order of candidates when they change places', () => {
    const [first, second] = small.match(/^ {10}\{.*$/gm) ?? [];
    const swapped = small.replace(`${first}\n${second}`, `${second}\n${first}`);
    expect(swapped).not.toBe(small);
    expect(written(swapped)).not.toEqual(read(small));
    expect(withoutWhatIsNotTold(imported(swapped))).not.toEqual(withoutWhatIsNotTold(read(small)));
  });

  test.each(Object.entries(vanishing))('%s is caught in both readings', (_what, [from, to]) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const source = small.replace(from, to);
    expect(source).not.toBe(small);
    const runs = read(source);
    expect(written(source)).not.toEqual(runs);
    expect(withoutWhatIsNotTold(imported(source))).not.toEqual(withoutWhatIsNotTold(runs));
  });

  test.each(Object.entries(untold))(
    '%s is caught in our reading, and the extractor does not tell',
    (_what, [from, to]) => {
      const source = small.replace(from, to);
      expect(source).not.toBe(small);
      const runs = read(source);
      expect(written(source)).not.toEqual(runs);
      expect(imported(source)).toEqual(imported(small));
    },
  );

  test('of all that is provided the extractor sees nothing', () =>
    expect(imported(small).provided).toEqual({ actors: [], guards: [], actions: [], delays: [] }));
});
