import { describe, expect, test } from 'vitest';
import { parseDecision } from '../../src/strategies/loop-decision.ts';

const asked = { strategy: 'mine', iteration: 1 };
const faultOf = (answer: unknown) => {
  const parsed = parseDecision(answer, asked);
  return parsed.kind === 'invalid' ? parsed.fault.message : null;
};

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

describe('L3 what a strategy may answer', () => {
  test('L3 all of it', () => {
    const decision = {
      continue: true,
      reason: 'closer',
      feedback: 'look at the parser',
      metadata: { seen: [1, null, 'a'] },
      action: 'continue' as const,
    };
    expect(parseDecision(decision, asked)).toEqual({ kind: 'decision', decision });
  });

  test('L3 the least of it', () => {
    const decision = { continue: false, reason: '' };
    expect(parseDecision(decision, asked)).toEqual({ kind: 'decision', decision });
  });

  test.each([true, false])('L3 a member that is null counts as absent, with continue: %s', (goesOn) => {
    const absent = { feedback: null, metadata: null, action: null, partial: null, finding: null, limit: null };
    expect(faultOf({ continue: goesOn, reason: 'a', ...absent })).toBeNull();
    expect(faultOf({ continue: goesOn, reason: 'a', partial: false })).toBeNull();
  });

  test('L3 a fault has a code, and names the strategy and the iteration, counting from 1', () =>
    expect(parseDecision(null, asked)).toEqual({
      kind: 'invalid',
      fault: {
        code: 'invalid_decision',
        message: expect.stringMatching(/^Strategy mine gave no valid decision on iteration 2: .*object/),
      },
    }));

  test.each([
    [undefined, 'object'],
    [{ reason: 'a' }, 'continue: '],
    [{ continue: 'yes', reason: 'a' }, 'continue: '],
    [{ continue: true }, 'reason: '],
    [{ continue: true, reason: '\uDC00' }, 'reason: '],
    [{ continue: true, reason: 'a', feedback: 3 }, 'feedback: '],
    [{ continue: true, reason: 'a', feedbak: 'b' }, '"feedbak"'],
    [{ continue: true, reason: 'a', action: 'go on' }, 'action: '],
    [{ continue: true, reason: 'a', metadata: [] }, 'metadata: '],
    [{ continue: true, reason: 'a', metadata: { at: new Date(0) } }, 'metadata: at: '],
    [{ continue: true, reason: 'a', metadata: cycle }, 'metadata: self: '],
  ])('L3 nonsense is named: %o', (answer, where) => expect(faultOf(answer)).toContain(where));

  test.each(['complete', 'timeout', 'fail'])('L3 going on and %s contradict each other', (action) => {
    expect(faultOf({ continue: true, reason: 'a', action })).toContain('action: contradicts "continue": true');
    expect(faultOf({ continue: false, reason: 'a', action })).toBeNull();
  });

  test('L3 so do stopping and continue', () =>
    expect(faultOf({ continue: false, reason: 'a', action: 'continue' })).toContain('contradicts "continue": false'));

  const finding = { detector: 'my-circle', message: 'round and round', iterations: [0, 2] };

  test('L10 a partial result is taken by completing, and in no other way', () => {
    const answer = { continue: false, reason: 'a', action: 'complete', partial: true };
    expect(parseDecision(answer, asked)).toEqual({ kind: 'decision', decision: answer });
    for (const action of ['timeout', 'fail', undefined])
      expect(faultOf({ ...answer, action })).toContain('partial: goes with the action "complete" only');
    expect(faultOf({ ...answer, partial: 'yes' })).toContain('partial: ');
  });

  test('L3 a limit of its own goes with the action timeout only', () => {
    const answer = { continue: false, reason: 'a', action: 'timeout', limit: { name: 'time_ms', limit: 60_000 } };
    expect(parseDecision(answer, asked)).toEqual({ kind: 'decision', decision: answer });
    for (const action of ['complete', 'fail', undefined])
      expect(faultOf({ ...answer, action })).toContain('limit: goes with the action "timeout" only');
    expect(faultOf({ ...answer, limit: { name: 'steps', limit: 3 } })).toContain('limit: name: ');
  });

  test('L3 what a strategy has noticed goes with a stop, and with no other action than fail', () => {
    for (const action of ['fail', undefined] as const) {
      const answer = { continue: false, reason: 'a', finding, ...(action && { action }) };
      expect(parseDecision(answer, asked)).toEqual({ kind: 'decision', decision: answer });
    }
    for (const action of ['complete', 'timeout'])
      expect(faultOf({ continue: false, reason: 'a', finding, action })).toContain('finding: goes with');
    expect(faultOf({ continue: true, reason: 'a', finding })).toContain('finding: goes with');
  });

  test.each([
    [{ ...finding, detector: '' }, 'finding: detector: '],
    [{ ...finding, iterations: [-1] }, 'finding: iterations: 0: '],
    [{ ...finding, iterations: [0.5] }, 'finding: iterations: 0: '],
    [{ ...finding, level: 'stop' }, '"level"'],
  ])('L3 a finding that makes no sense is named: %j', (wrong, where) =>
    expect(faultOf({ continue: false, reason: 'a', finding: wrong })).toContain(where),
  );
});
