import { describe, expect, test } from 'vitest';
import type { Life } from '../../machines/life.ts';
import type { Finding } from '../../machines/outcome.ts';
import { turn } from '../../machines/turn.machine.ts';
import { REPORTING_DETECTORS } from '../../src/detectors/detector-kinds.ts';
import { usedBy } from '../../src/judging/affordability.ts';
import { feedback, HAS_SAID_MORE, judgeInOrder, nudges, stopsIn } from '../../src/judging/judge-in-order.ts';
import { begin } from '../../src/kernel/step.ts';
import type { Decision, Evidence } from '../../src/kernel/decision.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import * as has from '../support/facts.ts';

const AT = '2030-01-01T00:00:00.000Z';
const finding = (level: Finding['level'], detector = 'any', message = 'the same call 3 times'): Finding => ({
  detector,
  level,
  count: 3,
  message,
  evidence: [],
});

const fresh: Life = begin(turn, { ...has.turnStarted(), at: AT, version: 1 }).snapshot.context;
const evidence = (life: Partial<Life>, findings: readonly Finding[] = []): Evidence =>
  ({
    context: { ...fresh, ...life },
    findings,
    used: usedBy(fresh, AT, turnLoop.rounds),
    next: { inputTokens: 0, price: null },
    idOf: String,
  }) as unknown as Evidence;
const otherwise = (): Decision => ({ action: 'continue', reason: 'not done yet', evidence: [] });

describe('what a judge decides in the order of every loop', () => {
  test('the baseline comes before the first round, and the decision says so', () =>
    expect(judgeInOrder(evidence({ baseline: 'owed' }), { success: null, otherwise })).toEqual({
      action: 'continue',
      reason: 'the checks run first on what is there',
      evidence: [],
    }));

  test('an error without a reason of its own ends the run with a fault that has a text', () => {
    const abort = { cause: 'error', reason: null, version: 3 } as const;
    expect(judgeInOrder(evidence({ abort }), { success: null, otherwise })).toMatchObject({
      sink: { ending: 'abort', cause: 'error', fault: { code: 'actor_failed', message: 'an actor failed' } },
    });
  });

  test('a single finding is recorded with the decision, and none where there is none', () => {
    const noted = finding('observe');
    expect(judgeInOrder(evidence({}, [noted]), { success: null, otherwise }).findings).toEqual([noted]);
    expect(judgeInOrder(evidence({}), { success: null, otherwise })).not.toHaveProperty('findings');
  });
});

describe('one ending has one reason', () => {
  const loops = (detector: string, message: string) =>
    ({ ending: 'doom_loop', finding: finding('stop', detector, message) }) as const;
  const CONVERGED = 'their answers hardly differ';
  const reasonOf = (findings: readonly Finding[], detector: string, remark: string) =>
    judgeInOrder(evidence({}, findings), { success: null, advised: loops(detector, CONVERGED), remark, otherwise })
      .reason;

  test('L11 a repetition that a detector and the strategy both find has the reason of the detector', () =>
    expect(reasonOf([finding('stop')], 'convergence', `Convergence: ${CONVERGED}`)).toBe('the same call 3 times'));

  test('L11 the repetition of a strategy has its message once, also where its reason repeats it', () => {
    expect(reasonOf([], 'convergence', `Convergence: ${CONVERGED}`)).toBe(`Convergence: ${CONVERGED}`);
    expect(reasonOf([], 'no-progress', CONVERGED)).toBe(CONVERGED);
    expect(reasonOf([], 'no-progress', 'nothing is left to try')).toBe(`${CONVERGED}; nothing is left to try`);
  });

  test('L11 another reason of the strategy follows that of the detector', () => {
    expect(reasonOf([finding('stop')], 'strategy-stop', 'the ticket is closed')).toBe(
      'the same call 3 times; the ticket is closed',
    );
    const [reporting = ''] = REPORTING_DETECTORS;
    expect(reasonOf([finding('stop', reporting, 'a check was removed')], 'convergence', CONVERGED)).toBe(
      `a check was removed; ${CONVERGED}`,
    );
  });
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
