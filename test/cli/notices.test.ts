import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { Finding, Outcome } from '../../machines/outcome.ts';
import { notice } from '../../src/cli/pages/notices.ts';
import { acceptedText, filesCommand } from '../../src/projections/phrases.ts';

const told = (event: LoopEvent) => notice({ run: 'r', version: 1, at: '2026-01-01T00:00:00.000Z', ...event });
const finding = (level: Finding['level'], detector = 'cycles'): Finding => ({
  detector,
  level,
  count: 3,
  message: 'read, edit, read, edit',
  evidence: [],
});
const decided = (findings: Finding[], sink?: Outcome, feedback?: string): LoopEvent => ({
  type: 'decision.made',
  payload: {
    action: sink ? 'stop' : 'continue',
    reason: 'more',
    evidence: [],
    findings,
    ...(sink ? { sink } : {}),
    ...(feedback === undefined ? {} : { feedback }),
  },
});

describe('what detectors noticed', () => {
  test('D2a a nudge is a warning, and says that the model is told', () =>
    expect(told(decided([finding('observe', 'same-tool'), finding('nudge')], undefined, 'you go in circles'))).toEqual({
      tone: 'warning',
      text: 'the model is told: cycles (nudge): read, edit, read, edit',
    }));

  test('D2a a nudge without feedback is told to no model', () =>
    expect(told(decided([finding('nudge')]))?.text).toMatch(/^cycles \(nudge\)/));

  test('D2a the line of a nudge in a run that ends does not say that the model is told', () =>
    expect(told(decided([finding('nudge')], { ending: 'abort', cause: 'user', fault: null }))?.text).toMatch(
      /^cycles \(nudge\)/,
    ));

  test('D7 an observation is news', () =>
    expect(told(decided([finding('observe')]))).toEqual({
      tone: 'news',
      text: 'cycles (observe): read, edit, read, edit',
    }));

  test('D0 a finding that stops the run prints no line, since the ending has it', () => {
    expect(told(decided([finding('stop')], { ending: 'doom_loop', finding: finding('stop') }))).toBeNull();
    expect(told(decided([]))).toBeNull();
  });
});

test('the end of delegated work is printed, and that of an attempt is not', () => {
  const spend = { inputTokens: 1, outputTokens: 1, toolCalls: 0, steps: 1 };
  const payload = {
    child: 'c',
    outcome: { ending: 'cap_hit', limit: { name: 'steps', used: 2, limit: 2 } } as const,
    answer: '',
    spend,
  };
  expect(told({ type: 'child.settled', payload: { ...payload, callId: '0.1' } })?.text).toBe(
    'the work delegated by 0.1 has ended: cap_hit',
  );
  expect(told({ type: 'child.settled', payload })).toBeNull();
});

test('L10 what was taken although it fell short says which iteration, what fails, and how to get its files', () => {
  const accepted = { iteration: 1, workspace: 'abc', ref: 'refs/loopfold/r/2', failing: ['L1/tests', 'L2/e2e'] };
  expect(acceptedText(accepted, 'iteration')).toBe('iteration 2 as it was left; still failing: L1/tests, L2/e2e');
  expect(filesCommand(accepted)).toBe('git restore --source refs/loopfold/r/2 -- :/');
  expect(filesCommand({ ...accepted, ref: null })).toBeNull();
});
