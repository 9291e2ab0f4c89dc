import { expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { call, done, foundByDefault, runs, step, times } from './turn-story.ts';

/** Good work that looks like a circle: the default profile neither nudges nor stops it. */
const lookup = (tool: string, given: object, output: string) => step(call(tool, given as never), done(output));
const edit = (index: number) =>
  step(call('edit', { path: `src/a${index}.ts`, oldText: '1', newText: '2' }), done(`src/a${index}.ts: done`));

const stories: readonly (readonly [title: string, facts: readonly LoopEvent[]])[] = [
  [
    'a debugger that goes on line by line',
    times(60, (at) => lookup('debugger', { command: 'next' }, `> tax.ts:${20 + at}`)),
  ],
  [
    'a cursor that brings the next page',
    times(60, (at) => lookup('next_page', { cursor: 'c' }, `rows ${at}0 to ${at}9`)),
  ],
  ['a count that goes down', times(60, (at) => runs('npx eslint . | wc -l', `${100 - at}`))],
  ['a rollout that brings news each time', times(100, (at) => runs('kubectl get pods', `${at} of 100 are ready`))],
  ['24 compiles, one file after the other', times(24, (at) => runs(`python3 -m py_compile pkg/mod${at}.py`, ''))],
  [
    '20 links, one after the other',
    times(20, (at) => runs(`curl -so /dev/null -w '%{http_code}' https://example.com/p/${at}`, '200')),
  ],
  ['24 searches for unused names', times(24, (at) => lookup('grep', { pattern: `unused${at}` }, '[no line matches]'))],
  ['24 searches by a tool of a server', times(24, (at) => lookup('mcp__code__search', { query: `unused${at}` }, '[]'))],
  [
    'a wait for CI of 15 minutes that ends',
    [...times(9, () => runs('sleep 60; gh run view 7', 'queued')), ...runs('sleep 60; gh run view 7', 'success')],
  ],
  [
    'tests that stay green after each of 40 changes',
    times(40, (at) => [...edit(at), ...runs('npm test', `Tests 12 passed\nDuration ${300 + at}ms`)]),
  ],
  [
    'a bisection',
    times(12, (at) => [
      ...runs('npm test', '1 failed', 1),
      ...runs('git bisect bad', `${100 - at} revisions left`),
    ]).slice(0, -1),
  ],
  ['red tests that become fewer', times(30, (at) => [...edit(at), ...runs('npm test', `Tests ${40 - at} failed`, 1)])],
];

test.each(stories)('D14 D17 D18 D8 %s is neither nudged nor ended by the default profile', (title, facts) => {
  const nudges = title === 'a bisection' ? [] : (['nudge'] as const);
  expect(foundByDefault(facts, [...nudges, 'block', 'stop'])).toEqual([]);
});
