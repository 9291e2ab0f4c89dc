import { expect, test } from 'vitest';
import { faultIn } from './commands.ts';
import { examplesOf } from './examples.ts';

const lines = examplesOf('sh').flatMap(({ code }) => code.split('\n').filter((line) => line.trim() !== ''));

test('the README begins with the two lines that a stranger types', () => {
  expect(lines.slice(0, 2)).toEqual(['npm ci && npm start', 'npm ci && npm test']);
});

test.each(lines)('%s', (line) => expect(faultIn(line)).toBeNull());

test.each([
  ['npm ci && npm run everything', 'there is no npm script everything'],
  ['node src/cli/nothing.ts runs', 'there is no file src/cli/nothing.ts'],
  ['loopfold frobnicate', 'there is no verb frobnicate'],
  ['loopfold runs --follow', 'runs has no flag --follow'],
])('%s is caught', (line, fault) => expect(faultIn(line)).toBe(fault));
