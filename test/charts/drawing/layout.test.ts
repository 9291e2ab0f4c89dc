import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { catalogue } from '../../../machines/index.ts';
import { chartOf } from '../../../src/charts/chart.ts';
import { type Area, cut, spansIn } from '../../../src/charts/drawing/geometry.ts';
import type { Layout, PlacedBox } from '../../../src/charts/drawing/layout-table.ts';
import { layOut } from '../../../src/charts/drawing/layout.ts';
import { boxesIn, sketch } from '../../../src/charts/drawing/sketch.ts';
import { fc } from '../../support/fast-check.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { tenthOf, tenthOfMany } from '../../support/tenth.ts';
import { anyMachine } from './any-machine.ts';

const depths = [1, 2, 3];
const details = ['arrows', 'events', 'actions'] as const;
const cases = catalogue.flatMap(({ id, machine }) =>
  depths.flatMap((depth) => details.map((detail) => ({ id, machine, depth, detail }))),
);

describe.each(tenthOf(cases))('$id, $depth deep, with its $detail', ({ machine, depth, detail }) => {
  const layout = layOut(sketch(chartOf(machine), { depth, detail }));

  test('boxes overlap only where one is part of the other', async () => {
    expect(overlapsOf(await layout)).toEqual([]);
  });

  test('words lie on no box but those they are in, and on no other words', async () => {
    const { boxes, arrows } = await layout;
    const labels = arrows.flatMap(({ arrow, label }) => (label ? [{ name: arrow.id, area: label }] : []));
    const shut = boxes.map(({ box, area, head }) => ({ name: box.id, area: box.parts.length === 0 ? area : head }));
    expect(labels.length).toBeGreaterThan(5);
    const seen = [...labels, ...shut.filter(({ name }) => !name.startsWith('start'))];
    expect(pairs(seen).filter(overlap).map(named)).toEqual([]);
  });

  test('arrows run through no words and through no box that has no parts', async () => {
    const { boxes, arrows } = await layout;
    const words = [
      ...boxes.map(({ box, area, head }) => ({ name: box.id, area: inset(box.parts.length === 0 ? area : head) })),
      ...arrows.flatMap(({ arrow, label }) => (label ? [{ name: arrow.id, area: inset(label) }] : [])),
    ];
    const hits = arrows.flatMap(({ arrow, way, label }) =>
      (label ? cut(way, label) : [way]).flatMap((piece) =>
        words.filter(({ area }) => spansIn(area, piece).length > 0).map(({ name }) => `${arrow.id} through ${name}`),
      ),
    );
    expect(hits).toEqual([]);
  });

  test('everything is on the page, and every arrow touches the boxes it joins', async () => {
    const { width, height, boxes, arrows } = await layout;
    const page = { x: 0, y: 0, width, height };
    const areas = new Map(boxes.map(({ box, area }) => [box.id, area]));
    expect(boxes.filter(({ area }) => !holds(page, area))).toEqual([]);
    for (const { arrow, way } of arrows) {
      const [first, last] = [way.at(0), way.at(-1)];
      expect(first && touches(areas.get(arrow.from), first)).toBe(true);
      expect(last && touches(areas.get(arrow.to), last)).toBe(true);
    }
  });
});

test.each(catalogue)('an overview of $id fits on a page, its endings side by side', async ({ machine }) => {
  const { width, height, boxes } = await layOut(sketch(chartOf(machine), { depth: 1, detail: 'arrows' }));
  expect(width).toBeLessThanOrEqual(1_400);
  expect(height).toBeLessThanOrEqual(1_000);
  const endings = boxes.filter(({ box }) => box.kind === 'final');
  expect(new Set(endings.map(({ area }) => area.y)).size).toBe(1);
  expect(Math.max(...boxes.map(({ area }) => area.y))).toBe(endings[0]?.area.y);
});

test('endings stand side by side below everything else, however soon they are reached', async () => {
  const race = setup({}).createMachine({
    id: 'race',
    initial: 'set',
    states: {
      set: { on: { go: 'run', trip: 'out' } },
      run: { on: { arrive: 'won' } },
      out: { type: 'final' },
      won: { type: 'final' },
    },
  });
  const { boxes } = await layOut(sketch(chartOf(race)));
  const [run, out, won] = ['run', 'out', 'won'].map((path) => boxes.find(({ box }) => box.title === path)?.area.y ?? 0);
  expect(out).toBe(won);
  expect(out).toBeGreaterThan(run ?? 0);
});

testInTurn('any machine is laid out whole: boxes apart, parts inside, every arrow drawn', async () => {
  await fc.assert(
    fc.asyncProperty(anyMachine, fc.constantFrom(...details), fc.nat(4), async (machine, detail, depth) => {
      const drawn = sketch(chartOf(machine), { detail, depth });
      const layout = await layOut(drawn);
      expect(overlapsOf(layout)).toEqual([]);
      expect(layout.boxes.map(({ box }) => box)).toEqual(boxesIn(drawn.boxes));
      expect(layout.boxes.filter(({ area }) => area.width * area.height === 0)).toEqual([]);
      expect(layout.arrows.filter(({ way }) => way.length < 2)).toEqual([]);
    }),
    { numRuns: tenthOfMany(200) },
  );
});

interface Named {
  readonly name: string;
  readonly area: Area;
}

const pairs = (all: readonly Named[]): (readonly [Named, Named])[] =>
  all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));

const overlap = ([{ area: a }, { area: b }]: readonly [Named, Named]): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const named = ([one, other]: readonly [Named, Named]): string => `${one.name} on ${other.name}`;

const holds = (outer: Area, inner: Area): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

/** Coordinates are rounded: what only touches does not overlap. */
const inset = (area: Area, by = 0.3): Area => ({
  x: area.x + by,
  y: area.y + by,
  width: area.width - 2 * by,
  height: area.height - 2 * by,
});

const touches = (area: Area | undefined, { x, y }: { readonly x: number; readonly y: number }): boolean =>
  area !== undefined && holds(inset(area, -0.3), { x, y, width: 0, height: 0 });

/** Parts that leave their whole, and boxes that lie on each other without being part of each other. */
function overlapsOf({ boxes }: Layout): string[] {
  const inside = ({ box }: PlacedBox): ReadonlySet<string> => new Set(boxesIn(box.parts).map(({ id }) => id));
  return boxes.flatMap((one, index) => {
    const parts = inside(one);
    return boxes.slice(index + 1).flatMap((other) => {
      const isRight = parts.has(other.box.id)
        ? holds(one.area, other.area)
        : inside(other).has(one.box.id) ||
          !overlap([
            { name: '', area: one.area },
            { name: '', area: other.area },
          ]);
      return isRight ? [] : [`${one.box.id} and ${other.box.id}`];
    });
  });
}
