import { expect, test } from 'vitest';
import { cut, spansIn } from '../../../src/charts/drawing/geometry.ts';

const area = { x: 10, y: 10, width: 20, height: 10 };
const at = (x: number, y: number): { x: number; y: number } => ({ x, y });

test('a way stops where it meets an area, and goes on behind it', () => {
  expect(cut([at(20, 0), at(20, 40), at(60, 40)], area)).toEqual([
    [at(20, 0), at(20, 10)],
    [at(20, 20), at(20, 40), at(60, 40)],
  ]);
});

test('a corner within an area is gone; a way that begins there begins behind it', () => {
  expect(cut([at(20, 0), at(20, 15), at(60, 15)], area)).toEqual([
    [at(20, 0), at(20, 10)],
    [at(30, 15), at(60, 15)],
  ]);
  expect(cut([at(20, 15), at(20, 40)], area)).toEqual([[at(20, 20), at(20, 40)]]);
});

test('a way that only touches an area, or passes it, is whole', () => {
  const ways = [
    [at(10, 0), at(10, 40)],
    [at(20, 0), at(20, 10)],
    [at(0, 25), at(60, 25)],
  ];
  expect(ways.map((way) => cut(way, area))).toEqual(ways.map((way) => [way]));
  expect(ways.flatMap((way) => spansIn(area, way))).toEqual([]);
});
