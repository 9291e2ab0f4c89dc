import { describe, expect, test } from 'vitest';
import { parseDecision } from '../../src/strategies/decision.ts';

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
});
