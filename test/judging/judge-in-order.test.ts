import { describe, expect, test } from 'vitest';
import type { Finding } from '../../machines/outcome.ts';
import { REPORTING_DETECTORS } from '../../src/detectors/detector-kinds.ts';
import { feedback, HAS_SAID_MORE, nudges, stopsIn } from '../../src/judging/judge-in-order.ts';

const finding = (level: Finding['level'], detector = 'any', message = 'the same call 3 times'): Finding => ({
  detector,
  level,
  count: 3,
  message,
  evidence: [],
});

describe('what nudges add to the next prompt', () => {
  test('is what may go in circles, with the advice to try something else', () =>
    expect(nudges({ findings: [finding('stop'), finding('nudge'), finding('observe')] })).toEqual([
      'You may be going in circles: the same call 3 times. Try something else.',
    ]));

  test('is the message alone, as a sentence, of a detector that reports', () => {
    const [reporting = ''] = REPORTING_DETECTORS;
    expect(nudges({ findings: [finding('nudge', reporting, 'tests are gone')] })).toEqual(['Tests are gone.']);
  });
});

test('only findings of level stop end a run', () => {
  const stops = finding('stop');
  expect(stopsIn({ findings: [finding('nudge'), stops] } as never)).toEqual([stops]);
});

test('feedback is its parts, a paragraph each', () => {
  expect(feedback(['one', null, undefined, 'two'])).toEqual({ feedback: 'one\n\ntwo' });
  expect(feedback(['one'])).toEqual({ feedback: 'one' });
  expect(feedback([null])).toEqual({});
  expect(HAS_SAID_MORE).toBe('a person has said more');
});
