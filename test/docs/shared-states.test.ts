import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../repository/tool.ts';
import { copiesIn, SHARED_WITH, sharedStates, withSharedStates } from './shared-states.ts';

/** A loop of one's own may do without asking a person about changed grounds. */
const OPTIONAL = 'verify.disputed';
/** The improvement loop tries candidate after candidate within a round, and no question about grounds is asked. */
const WITHOUT: ReadonlyMap<string, readonly string[]> = new Map([
  ['machines/improvement.machine.ts', [OPTIONAL, 'decide']],
  ['docs/examples/own-loop/reviewed.machine.ts', [OPTIONAL]],
]);
const NAMES = [
  'transitions of every state',
  'verify.baseline',
  OPTIONAL,
  'decide',
  'decide.aborting',
  'decide.ending',
  'decide.ending.ended',
];
const sourceOf = (file: string): string => readFileSync(join(root, file), 'utf8');

test('the turn chart marks what all loops share', () => expect([...sharedStates().keys()]).toEqual(NAMES));

describe.each([...SHARED_WITH])('%s', (file, id) => {
  const source = sourceOf(file);

  test('has every shared part', () =>
    expect(copiesIn(source)).toEqual(NAMES.filter((name) => !WITHOUT.get(file)?.includes(name))));

  test('has them as the turn chart has them (if not: npm run docs)', () =>
    expect(withSharedStates(source, id)).toBe(source));

  test.each([
    ['a target', `target: '#${id}.success'`, `target: '#${id}.budget'`],
    ['a space within a description', 'The time is over', 'The time isover'],
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
