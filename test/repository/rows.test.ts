import { expect, test } from 'vitest';
import { DETECTOR_KINDS } from '../../src/detectors/detector-kinds.ts';
import { FILES_IN_TURN } from '../support/turns.ts';
import { testsIn } from './always-taken.ts';
import { trackedTree } from './tree.ts';

const upTo = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);

const DETECTORS =
  'D0 D0+ D1a D1b D1c D1d D2a D2b D2c D3 D4 D5 D6a D6a+ D6b D7 D8 D9 D10 D11 D12 D13 D14 D15 D16 D17 D18 D19 D20';
/**
 * Everything that loopfold is to do, by the ids that tests are named with: turns, loops of attempts, the Ralph loop,
 * the improvement loop, detectors, evidence, the agent, coding agents of others, the boundary around commands, hosts,
 * pages and steering, evidence for any change, doors.
 */
const REQUIRED = [
  ...upTo('T', 13),
  ...upTo('L', 20),
  ...upTo('R', 11),
  ...upTo('I', 16),
  ...DETECTORS.split(' '),
  ...upTo('V', 17),
  ...upTo('G', 19),
  ...upTo('X', 13),
  ...upTo('B', 8),
  ...upTo('H', 8),
  ...upTo('W', 6),
  ...upTo('F', 6),
  ...upTo('Y', 5),
];
/** These, and the rows of detectors that were added since. */
const ROWS = [...new Set([...REQUIRED, ...DETECTOR_KINDS.map(({ row }) => row)])];

/** Rows that are not built yet, by the milestone that builds them. A row leaves this list with its first test. */
const PLANNED: Readonly<Record<string, string>> = {
  later: 'V8 V10 G12 G14 G15 G16 G17 G18 G19 X7 F1 F2 F3 F4 F5 F6 Y1 Y3 Y4 Y5',
};

/** Rows of which only a part is built and tested; the milestone builds the rest. */
const BEGUN: Readonly<Record<string, string>> = {
  '16 and 17, the boundary, begun': 'B1 B2 B4 B5 B7 B8',
  '19, hosts, begun': 'H2',
  'later, doors': 'Y2',
  '10, the improvement loop': 'I1 I2 I3 I4 I5 I6 I7 I8 I9 I10 I11',
};

const rowsIn = (lists: Readonly<Record<string, string>>): string[] =>
  Object.values(lists).flatMap((list) => list.split(' '));

const ROW = String.raw`[TLRIDVGXBHWFY]\d+[a-d]?\+?`;
const LEADING = new RegExp(`^(?:${ROW} )+`);

/** The names of the tests in a file that every `npm test` takes. */
const namesIn = (path: string, source: string): string[] =>
  testsIn(path, source).flatMap(({ name, isAlways }) => (isAlways ? [name] : []));

const rowsOf = (names: readonly string[]) =>
  new Set(names.flatMap((name) => LEADING.exec(name)?.[0].trim().split(' ') ?? []));

const sources = [...trackedTree()].filter(
  ([path]) => /^test\/.*\.(test|contract)\.ts$/.test(path) && !FILES_IN_TURN.includes(path),
);
const proven = rowsOf(sources.flatMap(([path, source]) => namesIn(path, source)));

test('every row has a test that is named with it and always taken, or is planned', () => {
  expect(REQUIRED.length).toBe(171);
  const planned = new Set(rowsIn(PLANNED));
  expect(ROWS.filter((row) => !proven.has(row) && !planned.has(row))).toEqual([]);
});

test('a row that is planned has no test yet, and one that is begun has', () => {
  expect(rowsIn(PLANNED).filter((row) => proven.has(row))).toEqual([]);
  expect(rowsIn(BEGUN).filter((row) => !proven.has(row))).toEqual([]);
});

test('only rows are planned or begun, each once', () => {
  const listed = [...rowsIn(PLANNED), ...rowsIn(BEGUN)];
  expect(listed.filter((row, index) => !ROWS.includes(row) || listed.indexOf(row) !== index)).toEqual([]);
});

test('no test is named with a row that is not there', () =>
  expect([...proven].filter((row) => !ROWS.includes(row))).toEqual([]));

test('a row is named where a name begins, and a name is what a test is called', () => {
  const source =
    "test('T1 T2 both', f);\ntest.each([['L9 no']])('D2a %s', f);\ntest(`L3 ${x}`, f);\ncheck('T4 no');\ntest('as in T5', f);\ntest('D6a+ V10 c', f);";
  expect([...rowsOf(namesIn('a.ts', source))]).toEqual(['T1', 'T2', 'D2a', 'L3', 'D6a+', 'V10']);
});
