import { expect, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { faultIn } from './commands.ts';
import { examplesIn, examplesOf, pages } from './examples.ts';

const FIRST_SCREEN_LINES = 20;
const MOST_WORDS_OF_README = 900;

const lines = examplesOf('sh').flatMap(({ code }) => code.split('\n').filter((line) => line.trim() !== ''));

test('the README begins with its title, and shows the two lines to start with on the first screen', () => {
  const text = pages().get('README.md') ?? '';
  expect(text.startsWith('# loopfold\n')).toBe(true);
  const first = examplesIn('README.md', text)[0];
  expect(first).toMatchObject({ language: 'sh', code: 'npm ci && npm start\nnpm ci && npm test\n' });
  expect(first?.line).toBeLessThan(FIRST_SCREEN_LINES);
});

test('the README is read in a few minutes: it has at most 900 words', () =>
  expect((pages().get('README.md') ?? '').split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS_OF_README));

testInTurn.each(lines)('%s', (line) => expect(faultIn(line)).toBeNull());

test.each([
  ['npm ci && npm run everything', 'there is no npm script everything'],
  ['node src/cli/nothing.ts runs', 'there is no file src/cli/nothing.ts'],
  ['loopfold frobnicate', 'there is no verb frobnicate'],
  ['loopfold runs --follow', 'runs has no flag --follow'],
])('%s is caught', (line, fault) => expect(faultIn(line)).toBe(fault));
