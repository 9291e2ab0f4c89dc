import { describe, expect, test } from 'vitest';
import {
  countUnanswered,
  MAX_CUT_ANSWERS,
  MAX_REFUSED_ANSWERS,
  type Unanswered,
  unansweredFault,
} from '../../../src/loops/turn/no-answer.ts';
import fc from 'fast-check';

const CUTS = ['length', 'filter', 'refusal', 'context', 'empty', 'promised'] as const;
type Cut = (typeof CUTS)[number];
const call = { callId: '0.0', providerId: null, tool: 'read', arguments: {} };
const counted = (answers: readonly { text: string; cut?: Cut; calls?: boolean }[]): Unanswered | null =>
  answers.reduce<Unanswered | null>(
    (before, { text, cut, calls = false }) =>
      countUnanswered(before, { text, calls: calls ? [call] : [], ...(cut ? { cut } : {}) }),
    null,
  );

describe('G4 ends that are no answers', () => {
  test.each(CUTS)('%s: bounded, whatever the texts are', (cut) => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: MAX_CUT_ANSWERS, maxLength: 20 }), (texts) => {
        const all = counted(texts.map((text) => ({ text, cut })));
        expect(all && unansweredFault(all)).not.toBeNull();
      }),
    );
  });

  test('a mixture is bounded by the same number', () => {
    const mixture = fc.array(fc.record({ text: fc.string(), cut: fc.constantFrom(...CUTS) }), {
      minLength: MAX_CUT_ANSWERS,
      maxLength: 12,
    });
    fc.assert(
      fc.property(mixture, (answers) => {
        const all = counted(answers);
        expect(all && unansweredFault(all)).not.toBeNull();
      }),
    );
  });

  test('an answer, or calls, end the row', () => {
    const three = ['a', 'b', 'c'].map((text) => ({ text, cut: 'length' as const }));
    expect(counted([...three, { text: 'whole' }])).toBeNull();
    expect(counted([...three, { text: '', cut: 'length', calls: true }])).toBeNull();
    const after = counted([...three, { text: 'whole' }, { text: 'd', cut: 'length' }]);
    expect(after).toMatchObject({ answers: 1 });
    expect(after && unansweredFault(after)).toBeNull();
  });

  test('the model is asked again as often as it may be, and no less', () => {
    const cut = counted(['a', 'b', 'c'].map((text) => ({ text, cut: 'length' as const })));
    expect(cut && unansweredFault(cut)).toBeNull();
    const refused = counted([{ text: 'No.', cut: 'refusal' }]);
    expect(refused && unansweredFault(refused)).toBeNull();
    expect(MAX_REFUSED_ANSWERS).toBe(2);
  });

  test('the same words again are a repetition, in whatever lines they stand', () => {
    const again = counted([
      { text: 'I begin\nwith the parser.', cut: 'length' },
      { text: '  I begin with the parser.', cut: 'length' },
    ]);
    expect(again && unansweredFault(again)).toMatchObject({
      code: 'answer-cut',
      message: expect.stringContaining('the same words'),
    });
  });

  test('each has a code and a remedy of its own', () => {
    const faults = CUTS.map((cut) => {
      const all = counted(['No.', 'No again.', 'a', 'b'].map((text) => ({ text, cut })));
      return all && unansweredFault(all);
    });
    expect(faults.map((fault) => fault?.code)).toEqual([
      'answer-cut',
      'filtered',
      'refused',
      'context-full',
      'answer-empty',
      'call-promised',
    ]);
    for (const fault of faults) expect(fault?.message).toMatch(/another model|larger window|Choose a model/);
  });
});

describe('G13 answers that did nothing', () => {
  test.each(['empty', 'promised'] as const)('%s: asked about again twice, though they all say the same', (cut) => {
    const two = counted([
      { text: '', cut },
      { text: '', cut },
    ]);
    expect(two && unansweredFault(two)).toBeNull();
    const three = counted([
      { text: '', cut },
      { text: '', cut },
      { text: '', cut },
    ]);
    expect(three && unansweredFault(three)?.message).toContain('3 times in a row');
  });

  test('the kind of the last one names the fault', () => {
    const mixed = counted([
      { text: '', cut: 'empty' },
      { text: '', cut: 'empty' },
      { text: 'Now:', cut: 'promised' },
    ]);
    expect(mixed && unansweredFault(mixed)?.code).toBe('call-promised');
  });

  test('calls that were ignored do not make it an answer', () => {
    expect(counted([{ text: '', cut: 'empty', calls: true }])).toMatchObject({ idle: 1 });
  });
});
