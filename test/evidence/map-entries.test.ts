import { expect, test } from 'vitest';
import { restoredEntries } from '../../src/evidence/map-entries.ts';

const isOfTests = (target: string) => target.startsWith('./test/');
const HELD = { '#same': './test/same.js', '#lib': 'expectations', '#own': './src/own.js' };

test.each([
  ['a name of a file of tests', { ...HELD, '#same': './src/same.js' }, HELD],
  ['a name of a package', { ...HELD, '#lib': './src/lib.js' }, HELD],
  ['a name that is gone', { '#own': './src/own.js' }, HELD],
  ['a condition', { ...HELD, '#same': { node: './src/same.js', default: './test/same.js' } }, HELD],
])('V2 the work does not give %s to another file', (_what, work, restored) => {
  expect(restoredEntries(HELD, work, isOfTests)).toEqual(restored);
});

test.each([
  ['changes a name of its own', { ...HELD, '#own': './src/other.js' }],
  ['adds a name', { ...HELD, '#more': './src/more.js' }],
  ['has the same names', HELD],
])('V2 work that %s is left alone', (_what, work) => {
  expect(restoredEntries(HELD, work, isOfTests)).toBeNull();
});

test('V2 the work adds no name within a pattern of tests', () => {
  const base = { '#test/*': './test/*.js' };
  expect(restoredEntries(base, { ...base, '#test/same': './src/same.js' }, isOfTests)).toEqual(base);
  expect(restoredEntries(base, { ...base, '#other/same': './src/same.js' }, isOfTests)).toBeNull();
});

test('V2 exports with a single target count as the entry of the package', () => {
  expect(restoredEntries('./test/main.js', './src/main.js', isOfTests)).toEqual({ '.': './test/main.js' });
  expect(restoredEntries('./src/main.js', { import: './src/other.js' }, isOfTests)).toBeNull();
  expect(restoredEntries(undefined, { '#same': './src/same.js' }, isOfTests)).toBeNull();
});
