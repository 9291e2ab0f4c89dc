import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../repository/tool.ts';
import { copiesIn, SHARED_WITH, sharedStates, withSharedStates } from './shared-states.ts';

/** A loop of one's own may do without asking a person about changed grounds. */
const OPTIONAL = 'verify.disputed';
const NAMES = [
  'transitions of every state',
  'verify.baseline',
  OPTIONAL,
  'decide',
  'decide.ending',
  'decide.ending.ended',
];
const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');

test('the turn chart marks what all loops share', () => expect([...sharedStates().keys()]).toEqual(NAMES));

describe.each([...SHARED_WITH])('%s', (file, id) => {
  const source = sourceOf(file);

  test('has every shared part', () =>
    expect(copiesIn(source)).toEqual(file.startsWith('machines/') ? NAMES : NAMES.filter((name) => name !== OPTIONAL)));

  test('has them as the turn chart has them (if not: npm run docs)', () =>
    expect(withSharedStates(source, id)).toBe(source));

  test.each([
    ['a target', `target: '#${id}.stream'`, `target: '#${id}.tools'`],
    ['a space within a description', 'The grace is over', 'The grace isover'],
    ['an action', "entry: 'startEnding'", "entry: 'startGrace'"],
  ])('a copy that differs by %s is stale, and made anew', (_what, before, after) => {
    const stale = source.replace(before, after);
    expect(stale).not.toBe(source);
    expect(withSharedStates(stale, id).replaceAll(/\s|,/g, '')).toBe(source.replaceAll(/\s|,/g, ''));
  });
});

test('a part that the turn chart does not have is refused, with the names it has', () => {
  const chart = '  // generated from the turn chart by npm run docs: nothing\n  a: {},\n  // end of generated\n';
  expect(() => withSharedStates(chart, 'other')).toThrow(/has no part nothing; it has: transitions of every state, /);
});
