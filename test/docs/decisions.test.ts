import { expect, test } from 'vitest';
import { pages } from './examples.ts';

const MOST_RECORDS = 20;

const folder = 'docs/decisions/';
const records = [...pages()].filter(([file]) => file.startsWith(folder) && file !== `${folder}README.md`);

test('there are at most 20 decision records, each numbered and with its status', () => {
  expect(records.length).toBeGreaterThan(5);
  expect(records.length).toBeLessThanOrEqual(MOST_RECORDS);
  expect(
    records.map(([file]) => file.slice(folder.length)).filter((name) => !/^\d{4}-[a-z-]+\.md$/.test(name)),
  ).toEqual([]);
  expect(records.filter(([, text]) => !/^# .+\n\nStatus: accepted\n/.test(text)).map(([file]) => file)).toEqual([]);
});

test('the index of decision records has a line for each', () => {
  const index = pages().get(`${folder}README.md`) ?? '';
  const listed = [...index.matchAll(/^\| \[\d{4}\]\(([\w-]+\.md)\) \| .+ \|$/gm)].map(([, name = '']) => folder + name);
  expect(listed).toEqual(records.map(([file]) => file));
});
