import { expect, test } from 'vitest';
import { ideasIn } from '../../../../src/loops/improvement/discovery/ideas.ts';

const told = (answer: unknown) => ideasIn(JSON.stringify(answer))?.map(({ title }) => title) ?? null;
const idea = (title: string) => ({ title, summary: 'It helps.' });

test('I9 what a model says about an idea beside what was asked for is left out', () => {
  expect(told([{ ...idea('Say why'), effort: 'small', rationale: 'Readers ask.' }])).toEqual(['Say why']);
});

test('I9 an idea that is not as asked for does not cost the others', () => {
  expect(told([{ title: 'Without a summary' }, idea('Whole'), { ...idea('Too sure'), score: 7 }])).toEqual(['Whole']);
});

test('I9 an answer of which nothing is an idea is unreadable, and an empty list is not', () => {
  expect(told([{ title: 'Without a summary' }, 'a text'])).toBeNull();
  expect(told({ ideas: [idea('Whole')] })).toBeNull();
  expect(told([])).toEqual([]);
});

test('I9 at most ten ideas are taken', () => {
  expect(told(Array.from({ length: 500 }, (_, index) => idea(`Idea ${index}`)))).toHaveLength(10);
});
