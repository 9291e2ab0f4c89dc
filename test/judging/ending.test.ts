import { describe, expect, test } from 'vitest';
import { type Finding, Outcome, type ReachedLimit } from '../../machines/outcome.ts';
import type { LoopDecision } from '../../src/strategies/loop-decision.ts';
import { type EndingFacts, endingOf, endingOfFacts } from '../../src/judging/ending.ts';
import { finalResult } from '../../src/strategies/final-result.ts';
import { fc } from '../support/fast-check.ts';

const nothing: EndingFacts = {
  strategy: 'mine',
  totalIterations: 2,
  elapsedMs: 1_500,
  verified: null,
  checksFailed: false,
  reached: [],
  findings: [],
  evidence: ['run-1/9'],
  best: null,
  evidenceOf: (these) => these.map((iteration) => `run-1/${(iteration + 1) * 10}`),
};
const iterations: ReachedLimit = { name: 'iterations', used: 3, limit: 3 };
const time: ReachedLimit = { name: 'time_ms', used: 9, limit: 9 };
const steps: ReachedLimit = { name: 'steps', used: 5, limit: 5 };
const tokens: ReachedLimit = { name: 'tokens', used: 9, limit: 9 };
const calls: ReachedLimit = { name: 'tool_calls', used: 9, limit: 9 };
const repetition: Finding = {
  detector: 'identical-calls',
  level: 'stop',
  count: 3,
  message: 'the same call 3 times',
  evidence: ['run-1/4'],
};
const verified = { version: 8, workspace: 'aaaa' };

type Action = LoopDecision['action'];
const stop = (action?: Action): LoopDecision => ({ continue: false, reason: 'I said so', ...(action && { action }) });
const ended = (action: Action, facts: Partial<EndingFacts>) => endingOf(stop(action), { ...nothing, ...facts });
const unverified = { ending: 'success', verified: null, partial: false };

describe('L3 a stop without an action is derived from facts', () => {
  test('L3 verification passed is a success, with the evidence', () =>
    expect(ended(undefined, { verified })).toEqual({ ending: 'success', verified, partial: false }));

  test.each([iterations, time, steps])('L3 a reached limit of $name is cap_hit', (limit) =>
    expect(ended(undefined, { reached: [limit] })).toEqual({ ending: 'cap_hit', limit }),
  );

  test.each([tokens, calls])('L3 a reached limit of $name is budget', (limit) =>
    expect(ended(undefined, { reached: [limit] })).toEqual({ ending: 'budget', limit }),
  );

  test('L3 repetition is doom_loop', () =>
    expect(ended(undefined, { findings: [repetition] })).toEqual({ ending: 'doom_loop', finding: repetition }));

  test('L3 success before caps, caps before findings, findings before budgets', () => {
    const all = { verified, reached: [tokens, iterations], findings: [repetition] };
    expect(ended(undefined, all).ending).toBe('success');
    expect(ended(undefined, { ...all, verified: null })).toEqual({ ending: 'cap_hit', limit: iterations });
    expect(ended(undefined, { reached: [tokens], findings: [repetition] }).ending).toBe('doom_loop');
  });

  test('L3 what nothing explains is no success: it has to be claimed or proven', () =>
    expect(ended(undefined, {})).toEqual({
      ending: 'doom_loop',
      finding: {
        detector: 'strategy-stop',
        level: 'stop',
        count: 2,
        message: 'strategy mine stopped the loop: I said so',
        evidence: ['run-1/9'],
      },
    }));

  test('L3 of several caps the first is named', () => {
    for (const action of [undefined, 'timeout'] as const) {
      expect(ended(action, { reached: [iterations, time] })).toEqual({ ending: 'cap_hit', limit: iterations });
    }
  });

  test('L3 no facts, no ending', () => expect(endingOfFacts(nothing)).toBeNull());
});

describe('L3 an action selects the ending', () => {
  test('L3 complete without checks is an unverified success, whatever limit was met', () => {
    expect(ended('complete', {})).toEqual(unverified);
    expect(ended('complete', { reached: [iterations] })).toEqual(unverified);
    expect(ended('complete', { verified })).toEqual({ ending: 'success', verified, partial: false });
  });

  test('L8 nothing a strategy says makes a success of failed checks', () => {
    expect(ended('complete', { checksFailed: true })).toMatchObject({ finding: { detector: 'strategy-stop' } });
    expect(ended('complete', { checksFailed: true, reached: [iterations] }).ending).toBe('cap_hit');
  });

  test('L3 timeout is cap_hit: the limit that was met, or the strategy’s own', () => {
    expect(ended('timeout', { reached: [tokens, time] })).toEqual({ ending: 'cap_hit', limit: time });
    const own = (limit: LoopDecision['limit']) => endingOf({ ...stop('timeout'), limit }, nothing);
    expect(own({ name: 'iterations', limit: 2 })).toEqual({
      ending: 'cap_hit',
      limit: { name: 'iterations', used: 2, limit: 2 },
    });
    expect(own({ name: 'time_ms', limit: 1_000 })).toEqual({
      ending: 'cap_hit',
      limit: { name: 'time_ms', used: 1_500, limit: 1_000 },
    });
    expect(ended('timeout', { reached: [tokens] }).ending).toBe('cap_hit');
    expect(ended('timeout', { verified }).ending).toBe('success');
  });

  test('L3 a timeout that names no limit is one of time', () =>
    expect(ended('timeout', {})).toEqual({ ending: 'cap_hit', limit: { name: 'time_ms', used: 1_500, limit: 1_500 } }));

  test('L3 fail is doom_loop by the strategy, whatever limit was met', () => {
    for (const facts of [{}, { reached: [iterations] }, { findings: [repetition] }]) {
      expect(ended('fail', facts)).toMatchObject({ ending: 'doom_loop', finding: { detector: 'strategy-stop' } });
    }
    expect(ended('fail', { verified }).ending).toBe('success');
  });
});

describe('L3 what the strategy itself has noticed', () => {
  const noticed: LoopDecision = {
    ...stop('fail'),
    finding: { detector: 'content-hash', message: 'x'.repeat(900), iterations: [2, 3] },
  };
  const finding = {
    detector: 'content-hash',
    level: 'stop',
    count: 2,
    message: `${'x'.repeat(499)}…`,
    evidence: ['run-1/30', 'run-1/40'],
  };

  test('L3 is the finding of the doom_loop, its evidence the events of those iterations', () => {
    expect(endingOf(noticed, nothing)).toEqual({ ending: 'doom_loop', finding });
    expect(endingOf({ ...noticed, action: undefined }, nothing)).toEqual({ ending: 'doom_loop', finding });
  });

  test('L3 one known iteration is evidence enough', () => {
    const one = { detector: 'content-hash', message: 'the same', iterations: [2] };
    expect(endingOf({ ...noticed, finding: one }, nothing)).toMatchObject({ finding: { evidence: ['run-1/30'] } });
  });

  test('L3 unknown iterations are no evidence: then it is what the decision rests on', () => {
    const facts = { ...nothing, evidenceOf: () => [] };
    expect(endingOf(noticed, facts)).toMatchObject({ finding: { evidence: ['run-1/9'] } });
  });

  test('L3 without an action, caps and findings of detectors come before it, and it before budgets', () => {
    const derived = { ...noticed, action: undefined };
    expect(endingOf(derived, { ...nothing, reached: [iterations] }).ending).toBe('cap_hit');
    expect(endingOf(derived, { ...nothing, findings: [repetition] })).toMatchObject({
      finding: { detector: 'identical-calls' },
    });
    expect(endingOf(derived, { ...nothing, reached: [tokens] })).toMatchObject({
      finding: { detector: 'content-hash' },
    });
    expect(endingOf(derived, { ...nothing, verified }).ending).toBe('success');
  });
});

describe('L10 a partial result', () => {
  const best = { iteration: 1, workspace: 'bbbb', ref: 'refs/2', failing: ['L1/unit'] };
  const taken: LoopDecision = { ...stop('complete'), partial: true };

  test('L10 is a success that says what was taken and what still fails', () =>
    expect(endingOf(taken, { ...nothing, checksFailed: true, best })).toEqual({
      ending: 'success',
      verified: null,
      partial: true,
      accepted: best,
    }));

  test('L10 a proof is better, and nothing can be taken where there is nothing', () => {
    expect(endingOf(taken, { ...nothing, verified, best })).toEqual({ ending: 'success', verified, partial: false });
    expect(endingOf(taken, { ...nothing, checksFailed: true }).ending).toBe('doom_loop');
  });

  test('L10 without being asked for, the best there is changes nothing', () =>
    expect(endingOf(stop('complete'), { ...nothing, checksFailed: true, best }).ending).toBe('doom_loop'));
});

const some = <Value>(...values: Value[]) => fc.subarray(values);
const facts = fc.record({
  strategy: fc.string(),
  totalIterations: fc.nat(),
  elapsedMs: fc.nat(),
  verified: fc.constantFrom(null, verified),
  checksFailed: fc.boolean(),
  reached: some(iterations, time, tokens),
  findings: some(repetition),
  evidence: fc.array(fc.string()),
  best: fc.constant(null),
  evidenceOf: fc.constant(nothing.evidenceOf),
});
const action = fc.constantFrom<Action[]>(undefined, 'complete', 'timeout', 'fail');

describe('L3 for any facts', () => {
  test('L3 the reason’s text never moves the ending, and is quoted at most briefly', () =>
    fc.assert(
      fc.property(facts, action, fc.string({ maxLength: 2_000 }), (given, chosen, reason) => {
        const outcome = endingOf({ ...stop(chosen), reason }, given);
        expect(outcome.ending).toBe(endingOf(stop(chosen), given).ending);
        expect(Outcome.parse(outcome)).toEqual(outcome);
        if (outcome.ending === 'doom_loop') expect(outcome.finding.message.length).toBeLessThan(600);
      }),
    ));

  test('L3 a success is proven, or claimed where no check failed', () =>
    fc.assert(
      fc.property(facts, action, (given, chosen) => {
        const claimed = chosen === 'complete' && !given.checksFailed;
        expect(endingOf(stop(chosen), given).ending === 'success').toBe(given.verified !== null || claimed);
      }),
    ));
});

describe('L8 L10 for any facts', () => {
  const best = { iteration: 0, workspace: null, ref: null, failing: ['L0/lint'] };
  const known = fc.tuple(facts, fc.constantFrom(null, best)).map(([given, accepted]) => ({ ...given, best: accepted }));

  test('L8 L10 only who takes a partial result by name gets one over a failed check', () =>
    fc.assert(
      fc.property(known, action, fc.boolean(), (given, chosen, isPartial) => {
        const takes = isPartial && chosen === 'complete';
        const outcome = endingOf(
          { ...stop(chosen), ...(takes ? { partial: true } : {}) },
          { ...given, verified: null },
        );
        expect(outcome.ending === 'success' && outcome.partial).toBe(takes && given.best !== null);
        if (outcome.ending === 'success' && !outcome.partial) expect(given.checksFailed).toBe(false);
        expect(Outcome.parse(outcome)).toEqual(outcome);
      }),
    ));
});

describe('L4 what a strategy is told about the ending', () => {
  test.each<[Outcome, string]>([
    [{ ending: 'success', verified: null, partial: true }, 'success'],
    [{ ending: 'cap_hit', limit: iterations }, 'max_iterations'],
    [{ ending: 'cap_hit', limit: steps }, 'max_iterations'],
    [{ ending: 'cap_hit', limit: time }, 'timeout'],
    [{ ending: 'doom_loop', finding: repetition }, 'strategy_stop'],
    [{ ending: 'budget', limit: tokens }, 'strategy_stop'],
    [{ ending: 'abort', cause: 'user', fault: null }, 'error'],
    [{ ending: 'abort', cause: 'error', fault: { code: 'a', message: 'b' } }, 'error'],
  ])('L4 %j', (outcome, result) => expect(finalResult(outcome)).toBe(result));
});
