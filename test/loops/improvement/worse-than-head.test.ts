import { expect, test } from 'vitest';
import type { EventOf } from '../../../machines/events.ts';
import { lossesOf } from '../../../src/loops/improvement/worse-than-head.ts';

type Baseline = EventOf<'baseline.taken'>['payload'];
type Result = 'passed' | 'failed' | 'skipped';

const check = (name: string, passed: boolean) => ({
  name,
  passed,
  output: '',
  exitCode: passed ? 0 : 1,
  durationMs: 1,
});

/** How one check, `unit`, and its tests went. */
const went = (
  passed: boolean,
  results: { readonly [name: string]: Result } | null,
  more: Partial<Baseline> = {},
): Baseline => ({
  passed,
  workspace: 'tree',
  levels: [{ level: 'L1', passed, checks: [check('unit', passed)] }],
  tests: results
    ? [
        {
          check: 'unit',
          complete: true,
          tests: Object.entries(results).map(([name, result]) => ({ file: 'a.test.js', name, occurrence: 1, result })),
        },
      ]
    : [],
  ...more,
});
const flickering = (name: string) => ({
  flickering: [{ check: 'unit', tests: [{ file: 'a.test.js', name, occurrence: 1 }] }],
});
const heldOut = (failed: number) => ({ heldOut: { checks: 2, failed, ran: [null, null], replaced: 0 } });

const RED = went(false, { adds: 'passed', doubles: 'failed' });

test.each<readonly [string, Baseline, Baseline, string | null]>([
  ['a fixed test', RED, went(true, { adds: 'passed', doubles: 'passed' }), null],
  ['what failed before', RED, RED, null],
  ['a test that fails now', RED, went(false, { adds: 'failed', doubles: 'failed' }), 'L1/unit: fails: a.test.js: adds'],
  [
    'one that is skipped now',
    RED,
    went(true, { adds: 'skipped', doubles: 'passed' }),
    'L1/unit: is skipped now: a.test.js: adds',
  ],
  ['one that is gone', RED, went(true, { doubles: 'passed' }), 'L1/unit: was not run: a.test.js: adds'],
  [
    'a check without tests that fails now',
    went(true, null),
    went(false, null),
    'L1/unit: passes on the head, and fails now: ',
  ],
  [
    'a test that flickers on the head',
    { ...RED, ...flickering('adds') },
    went(false, { adds: 'failed', doubles: 'failed' }),
    null,
  ],
  [
    'a check that fails by a test that flickers alone',
    went(true, { adds: 'passed' }),
    went(false, { adds: 'failed' }, flickering('adds')),
    null,
  ],
  [
    'a held-out check more that fails',
    went(true, null, heldOut(1)),
    went(true, null, heldOut(2)),
    'more of the held-out checks fail',
  ],
])('I3 %s', (_name, head, now, worse) => {
  expect([...lossesOf(head, now, () => new Map()).values()]).toEqual(worse === null ? [] : [worse]);
});
