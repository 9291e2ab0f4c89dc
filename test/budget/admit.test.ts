import { describe, expect, test } from 'vitest';
import { admit, remainingCalls } from '../../src/budget/admit.ts';
import { fc } from '../support/fast-check.ts';

const calls = fc
  .array(fc.string(), { maxLength: 20 })
  .map((names) => names.map((tool, index) => ({ callId: `3.${index}`, tool })));
const remaining = fc.option(fc.nat(25), { nil: null });

describe('T6 parallel calls beyond the budget', () => {
  test('T6 are refused, the first ones run', () => {
    const asked = ['3.0', '3.1', '3.2'].map((callId) => ({ callId, tool: 'read' }));
    expect(admit(asked, 2)).toEqual({
      run: asked.slice(0, 2),
      refused: [{ callId: '3.2', reason: 'refused: budget' }],
    });
  });

  test('T6 never more run than remain, each call is answered once, in the order asked', () =>
    fc.assert(
      fc.property(calls, remaining, (asked, left) => {
        const { run, refused } = admit(asked, left);
        expect(run.length).toBe(Math.min(asked.length, left ?? Infinity));
        const answered = [...run, ...refused].map(({ callId }) => callId);
        expect(answered).toEqual(asked.map(({ callId }) => callId));
      }),
    ));

  test('T6 a limited number of calls of one answer run, and the model reads what to do with the others', () => {
    const asked = Array.from({ length: 5 }, (_, index) => ({ callId: `3.${index}` }));
    const refused = { reason: 'refused: at most 3 calls of one answer run; ask for the rest again' };
    const blocked = new Map([['3.0', 'seen already']]);
    expect(admit(asked, null, blocked, 3)).toEqual({
      run: asked.slice(1, 4),
      refused: [
        { callId: '3.0', reason: 'refused: seen already' },
        { callId: '3.4', ...refused },
      ],
    });
    expect(admit(asked, 2, new Map(), 3).refused.map(({ reason }) => reason)).toEqual(Array(3).fill('refused: budget'));
  });

  test('T6 what remains is what the run may use less what it used, never less than nothing', () => {
    expect(remainingCalls({ maxToolCalls: 50 }, { toolCalls: 48 })).toBe(2);
    expect(remainingCalls({ maxToolCalls: 50 }, { toolCalls: 50 })).toBe(0);
    expect(remainingCalls({ maxToolCalls: 50 }, { toolCalls: 53 })).toBe(0);
    expect(remainingCalls({ maxToolCalls: null }, { toolCalls: 53 })).toBeNull();
  });

  test('T6 answer after answer, a run uses exactly its budget when it asks for enough', () =>
    fc.assert(
      fc.property(fc.array(calls, { maxLength: 10 }), fc.nat(50), (answers, maxToolCalls) => {
        let toolCalls = 0;
        for (const asked of answers) {
          toolCalls += admit(asked, remainingCalls({ maxToolCalls }, { toolCalls })).run.length;
        }
        expect(toolCalls).toBe(Math.min(maxToolCalls, answers.flat().length));
      }),
    ));
});
