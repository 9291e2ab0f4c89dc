import { expect, test } from 'vitest';
import { EDITS, editsOf } from './edits.ts';
import { sourceSurvivors } from './source-survivors.ts';
import { switched } from './switched.ts';
import { askedFor, filesOf, folders, testsNear } from './watched.ts';

const SOURCE = `
export function near(used: number, limit: number | null): string {
  let text = '';
  if (limit !== null && used >= limit * 2) text = 'it is near';
  return text;
}
`;
const all = editsOf('near.ts', SOURCE);

/** What the function says with one edit switched on. */
function said(edit: string | null, used: number, limit: number | null): string {
  const numbered = all.map((one, number) => ({ ...one, number }));
  const code = switched(SOURCE, numbered)
    .replace('export ', '')
    .replace(/: number( \| null)?|: string/g, '');
  const isOn = (number: number): boolean => numbered[number]?.id === `near.ts near: ${edit}`;
  const run = new Function('globalThis', 'used', 'limit', `${code}; return near(used, limit);`);
  return String(run({ $edited: isOn }, used, limit));
}

test('every condition, comparison, operator, constant, text and statement is edited', () => {
  expect(all.map(({ id }) => id.replace('near.ts near: ', ''))).toEqual([
    'limit !== null && used >= limit * 2 -> !(limit !== null && used >= limit * 2)',
    'limit !== null && used >= limit * 2 -> (limit !== null) || (used >= limit * 2)',
    'limit !== null -> (limit) === (null)',
    'used >= limit * 2 -> (used) > (limit * 2)',
    'limit * 2 -> (limit) / (2)',
    '2 -> 0',
    "text = 'it is near'; -> dropped",
    "'it is near' -> ''",
  ]);
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(EDITS));
});

test('an edit holds where it is switched on, and none otherwise', () => {
  expect([said(null, 4, 2), said(null, 3, 2), said(null, 9, null)]).toEqual(['it is near', '', '']);
  expect(said('used >= limit * 2 -> (used) > (limit * 2)', 4, 2)).toBe('');
  expect(said('2 -> 0', 0, 2)).toBe('it is near');
  expect(said('limit * 2 -> (limit) / (2)', 1, 2)).toBe('it is near');
  expect(said("text = 'it is near'; -> dropped", 4, 2)).toBe('');
  expect(said("'it is near' -> ''", 4, 2)).toBe('');
});

test('the text of a plain error that is thrown says what cannot be, and is left as it is', () => {
  const thrown = (error: string) => editsOf('near.ts', `if (left < 0) throw new ${error}('less than ' + nothing);`);
  expect(thrown('Error').map(({ kind }) => kind)).toEqual([
    'condition negated',
    'comparison moved',
    'constant replaced',
  ]);
  expect(thrown('LimitError').map(({ kind }) => kind)).toContain('text emptied');
});

test('lines stay where they are', () => {
  const numbered = all.map((one, number) => ({ ...one, number }));
  expect(switched(SOURCE, numbered).split('\n')).toHaveLength(SOURCE.split('\n').length);
});

test.each(folders)('src/%s: each edit has a name of its own, and tests are near', (folder) => {
  const ids = filesOf(folder).flatMap(({ edits }) => edits.map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(100);
  expect(new Set(ids).size).toBe(ids.length);
  expect(testsNear(folder).length).toBeGreaterThan(3);
});

test('each edit that is listed as one that lives is there', () => {
  const known = new Set(folders.flatMap((folder) => filesOf(folder).flatMap(({ edits }) => edits.map(({ id }) => id))));
  expect(Object.keys(sourceSurvivors).filter((id) => !known.has(id))).toEqual([]);
});

test('a folder, or one of its files, is asked for by name', () => {
  expect(askedFor('judging')?.files).toEqual(filesOf('judging'));
  const [file, ...others] = askedFor('judging/ending.ts')?.files ?? [];
  expect(others).toEqual([]);
  expect(file?.path).toMatch(/judging\/ending\.ts$/);
  expect([askedFor('judging/none.ts'), askedFor('cli')]).toEqual([null, null]);
});
