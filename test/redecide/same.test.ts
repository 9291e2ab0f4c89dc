import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { redecide } from '../../src/redecide/redecide-run.ts';
import { logOf, readHistory } from '../histories/history.ts';
import { factsOf } from './recorded.ts';

const folder = new URL('../histories/', import.meta.url);
/** Recorded before the judge asked what the next call would need: today it ends the run in time. */
const BEFORE_RESERVATIONS = 'turn-budget-tokens.jsonl';
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && name !== BEFORE_RESERVATIONS);

/** Recorded before the feedback said how a check exited, and which levels were not run: only its text differs today. */
const OTHER_FEEDBACK = new Set(
  ['iteration-success', 'iteration-cap-hit-continued', 'turn-success']
    .concat(['ralph-abort', 'ralph-budget', 'ralph-cap-hit-grown', 'ralph-doom-loop', 'ralph-success'])
    .map((name) => `${name}.jsonl`),
);

/** Recorded before the reason said that a promise was given. */
const BEFORE_PROMISES = 'ralph-disputed.jsonl';

describe('with nothing replaced, a judgement is reproduced word by word', () => {
  test.each(names)('%s', async (name) => {
    const told = readHistory(new URL(name, folder));
    const log = await logOf(told);
    for (const { run } of told.runs) {
      const { redecisions, conclusion, differsFrom, saved } = await redecide(await factsOf(log, run));
      if (OTHER_FEEDBACK.has(name)) {
        for (const { other, recorded } of redecisions)
          expect(withoutNewWords(other)).toEqual(withoutNewWords(recorded));
        continue;
      }
      for (const { other, recorded, isSame, leadsToTheSame } of redecisions) {
        if (name === BEFORE_PROMISES) expect(withoutNewReasons(other)).toEqual(withoutNewReasons(recorded));
        else expect(other).toEqual(recorded);
        expect(name === BEFORE_PROMISES ? leadsToTheSame : isSame).toBe(true);
      }
      expect(redecisions.length).toBeGreaterThan(1);
      expect({ conclusion, differsFrom, saved }).toEqual({ conclusion: 'agrees', differsFrom: null, saved: null });
    }
  });
});

/**
 * Reasons have since then said how an attempt ended that failed, and that a promise was given. They no longer say the
 * repetition of a strategy after that of a detector.
 */
const withoutNewReasons = (said: object) => ({
  ...said,
  ...('reason' in said ? { reason: String(said.reason).replace(NEW_OR_OLD_WORDS, '') } : {}),
});
const NEW_OR_OLD_WORDS = /^completion promise given, and |; (the attempt ended|Convergence): .*$/g;

const withoutNewWords = (said: object) => ({ ...withoutNewReasons(said), feedback: null });

test('a run from before a rule of the judge is judged by the present rule, and the saving is told', async () => {
  const told = readHistory(new URL(BEFORE_RESERVATIONS, folder));
  const log = await logOf(told);
  const redecided = await redecide(await factsOf(log, told.runs[0]?.run ?? ''));
  expect(redecided).toMatchObject({
    conclusion: 'stops_earlier',
    turn: { version: 7, after: 1, verdict: 'budget' },
    differsFrom: 7,
    isOpen: false,
    saved: { steps: 1, toolCalls: 1, tokens: 67 },
  });
});
