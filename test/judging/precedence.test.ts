import { describe, expect, test } from 'vitest';
import { iteration, type IterationContext } from '../../machines/iteration.machine.ts';
import type { Life } from '../../machines/life.ts';
import type { Finding, Outcome } from '../../machines/outcome.ts';
import { turn, type TurnContext } from '../../machines/turn.machine.ts';
import type { Evidence, Decision, Advice } from '../../src/kernel/decision.ts';
import type { IterationMemory } from '../../src/loops/iteration/memory.ts';
import { iterationLoop } from '../../src/loops/iteration/definition.ts';
import { judgeIteration } from '../../src/loops/iteration/judge.ts';
import { judgeTurn } from '../../src/loops/turn/judge.ts';
import { TurnMemory } from '../../src/loops/turn/memory.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { usedBy } from '../../src/judging/affordability.ts';
import type { LoopMemory } from '../../src/kernel/loop-memory.ts';
import type { Rounds } from '../../src/kernel/loop-ranking.ts';
import { begin } from '../../src/kernel/step.ts';
import type { LoopDecision } from '../../src/strategies/loop-decision.ts';
import * as has from '../support/facts.ts';
import { timeAt } from '../support/given.ts';

const VERSION = 30;
const AT = timeAt(10_000);
const LIMIT_MS = 5_000;
const yesOrNo = [false, true] as const;

/** Every choice of one value for each name. */
function* every<Choices extends Record<string, readonly unknown[]>>(choices: Choices): Iterable<Chosen<Choices>> {
  const names = Object.keys(choices);
  const sizes = names.map((name) => choices[name]?.length ?? 0);
  const count = sizes.reduce((product, size) => product * size, 1);
  for (let number = 0; number < count; number += 1) {
    let rest = number;
    yield Object.fromEntries(
      names.map((name, index) => {
        const size = sizes[index] ?? 1;
        const value = choices[name]?.[rest % size];
        rest = Math.floor(rest / size);
        return [name, value];
      }),
    ) as Chosen<Choices>;
  }
}
type Chosen<Choices extends Record<string, readonly unknown[]>> = {
  readonly [name in keyof Choices]: Choices[name][number];
};

const finding = (level: Finding['level']): Finding => ({
  detector: 'any',
  level,
  count: 3,
  message: 'again and again',
  evidence: ['r/3'],
});
const findingsOf = { none: [], nudge: [finding('nudge')], stop: [finding('observe'), finding('stop')] } as const;

/** What happens to every loop: each of them may be so when the judge is asked. */
const ofLife = {
  isAborted: yesOrNo,
  isBroken: yesOrNo,
  isSteered: yesOrNo,
  verification: ['none', 'passed', 'passed on other files', 'failed'],
  time: ['left', 'over', 'fired'],
  isOutOfTokens: yesOrNo,
  findings: ['none', 'nudge', 'stop'],
} as const;
type OfLife = Chosen<typeof ofLife>;

const fresh = <Context>(machine: typeof turn | typeof iteration): Context =>
  begin(machine, { ...has.started(machine === turn ? 'turn' : 'iteration'), at: timeAt(0), version: 1 }).snapshot
    .context as Context;

function lifeIn<Context extends Life>(born: Context, given: OfLife): Context {
  const passed = given.verification !== 'failed';
  const workspace = given.verification === 'passed on other files' ? 'other' : 'tree';
  return {
    ...born,
    limits: {
      maxSteps: null,
      maxToolCalls: null,
      maxIterations: null,
      maxTokens: given.isOutOfTokens ? 11 : null,
      maxTimeMs: given.time === 'left' ? null : LIMIT_MS,
    },
    spend: { inputTokens: 10, outputTokens: 1, toolCalls: 4, steps: 2 },
    deadlinePassed: given.time === 'fired',
    abort: given.isAborted ? { cause: 'user', reason: 'enough', version: 20 } : null,
    fault: given.isBroken ? { fault: { code: 'broken', message: 'it broke' }, version: 21 } : null,
    steered: given.isSteered ? 22 : null,
    workspace: 'tree',
    verification: given.verification === 'none' ? null : { passed, workspace, version: 23 },
  };
}

const evidence = <Context extends Life, Memory extends LoopMemory>(
  context: Context,
  { memory, rounds, ...more }: Partial<Evidence<Context>> & { readonly memory: Memory; readonly rounds: Rounds },
): Evidence<Context, Memory> => ({
  context,
  memory,
  round: 'round',
  at: AT,
  used: usedBy(context, AT, rounds),
  findings: [],
  report: null,
  grade: null,
  enough: null,
  baseline: null,
  beginning: [],
  failedBefore: false,
  idOf: (version) => `r/${version}`,
  version: VERSION,
  next: { inputTokens: 0, price: null },
  ...more,
});

/** An ending, and whether it is proven; or the word to go on. */
type Verdict = 'proven' | 'partial' | 'success' | Exclude<Outcome['ending'], 'success'> | 'continue';

function verdictOf({ action, sink }: Decision): Verdict {
  if (action === 'continue' || !sink) return 'continue';
  if (sink.ending !== 'success') return sink.ending;
  if (sink.verified) return sink.verified.version === 23 && sink.verified.workspace === 'tree' ? 'proven' : 'abort';
  return sink.partial ? 'partial' : 'success';
}

/** The order of endings, said once more and in another way: the first line that holds is the ending. */
const first = (...lines: readonly (readonly [Verdict, boolean])[]): Verdict =>
  lines.find(([, holds]) => holds)?.[0] ?? 'continue';

function disagreements<Given>(
  cases: Iterable<Given>,
  expected: (given: Given) => Verdict,
  judge: (given: Given) => Decision,
) {
  const wrong: unknown[] = [];
  let count = 0;
  const seen = new Set<Verdict>();
  for (const given of cases) {
    count += 1;
    const verdict = verdictOf(judge(given));
    seen.add(verdict);
    if (verdict !== expected(given) && wrong.length < 5) wrong.push({ given, verdict, expected: expected(given) });
  }
  return { wrong, count, seen: [...seen].toSorted() };
}

describe('T5 T6 T7 T8 L3 of several endings, abort comes first, then success, cap_hit, doom_loop, budget', () => {
  test('T5 in a turn, whatever else is true', () => {
    const ofTurn = {
      ...ofLife,
      isFinished: yesOrNo,
      hasChecks: yesOrNo,
      isCut: yesOrNo,
      steps: ['left', 'over', 'text only'],
      isOutOfCalls: yesOrNo,
    } as const;
    const born = fresh<TurnContext>(turn);
    const judge = (given: Chosen<typeof ofTurn>) => {
      const life = lifeIn(born, given);
      const context: TurnContext = {
        ...life,
        hasChecks: given.hasChecks,
        limits: {
          ...life.limits,
          maxSteps: { left: null, over: 2, 'text only': 0 }[given.steps],
          maxToolCalls: given.isOutOfCalls ? 4 : null,
        },
        answer: { version: 19, calls: 0 },
        finished: given.isFinished ? 19 : null,
      };
      const memory = new TurnMemory();
      if (given.isCut)
        memory.answer = { text: '', calls: [], usage: { inputTokens: 0, outputTokens: 0 }, cut: 'length' };
      return judgeTurn(evidence(context, { memory, rounds: turnLoop.rounds, findings: findingsOf[given.findings] }));
    };
    const expected = (given: Chosen<typeof ofTurn>) => {
      const isDone = given.isFinished && (!given.isSteered || given.steps === 'text only');
      return first(
        ['abort', given.isAborted || given.isBroken],
        ['success', isDone && !given.hasChecks],
        ['proven', isDone && given.verification === 'passed'],
        ['cap_hit', given.steps !== 'left' || given.time !== 'left'],
        ['doom_loop', given.findings === 'stop'],
        ['budget', given.isOutOfTokens || (given.isOutOfCalls && !given.isFinished)],
      );
    };
    const { wrong, count, seen } = disagreements(every(ofTurn), expected, judge);
    expect(wrong).toEqual([]);
    expect(count).toBe(2 ** 8 * 4 * 3 ** 3);
    expect(seen).toEqual(['abort', 'budget', 'cap_hit', 'continue', 'doom_loop', 'proven', 'success']);
  });

  test('L3 in a loop of attempts, whatever its strategy says', () => {
    const words = { continue: true, complete: false, timeout: false, fail: false } as const;
    const ofLoop = {
      ...ofLife,
      isOutOfIterations: yesOrNo,
      failedBefore: yesOrNo,
      hasChecks: yesOrNo,
      says: ['nothing', 'stop', 'continue', 'complete', 'complete in part', 'timeout', 'fail'],
    } as const;
    const best = { iteration: 1, workspace: 'tree-1', ref: 'refs/loopfold/r/1', failing: ['L1/tests'] };
    const adviceOf = (says: Chosen<typeof ofLoop>['says']): Advice => {
      if (says === 'complete in part')
        return { strategy: 'own', decision: { continue: false, action: 'complete', partial: true, reason: says } };
      const decision: LoopDecision =
        says === 'stop' || says === 'nothing'
          ? { continue: false, reason: 'stop' }
          : { continue: words[says], action: says, reason: says };
      return { strategy: 'own', decision };
    };
    const born = fresh<IterationContext>(iteration);
    const judge = (given: Chosen<typeof ofLoop>) => {
      const life = lifeIn(born, given);
      const context: IterationContext = {
        ...life,
        hasChecks: given.hasChecks,
        limits: { ...life.limits, maxIterations: given.isOutOfIterations ? 3 : null },
        iterations: 3,
        attempt: { version: 18, succeeded: true },
      };
      const memory = {
        best: () => best,
        shownBy: () => [],
        starved: () => null,
        failed: () => null,
        observe: () => {},
      } as unknown as IterationMemory;
      const told = { findings: findingsOf[given.findings], failedBefore: given.failedBefore };
      const known = evidence(context, { memory, rounds: iterationLoop.rounds, ...told });
      return judgeIteration(known, given.says === 'nothing' ? null : adviceOf(given.says));
    };
    const expected = (given: Chosen<typeof ofLoop>) => {
      const says = given.isSteered ? 'continue' : given.says;
      const isDenied = given.verification !== 'none' || given.failedBefore;
      const isOver = given.isOutOfIterations || given.time !== 'left';
      const isSpent = given.isOutOfTokens;
      return first(
        ['abort', given.isAborted || given.isBroken],
        ['proven', !given.isSteered && given.verification === 'passed'],
        ['partial', says === 'complete in part' && given.time !== 'fired'],
        ['success', says === 'complete' && !isDenied && given.time !== 'fired'],
        ['cap_hit', isOver || says === 'timeout'],
        ['doom_loop', given.findings === 'stop' || says === 'fail'],
        ['budget', isSpent],
        // It stops, and nothing else explains why: success has to be claimed or proven.
        ['doom_loop', says === 'stop' || says === 'complete'],
      );
    };
    const { wrong, count, seen } = disagreements(every(ofLoop), expected, judge);
    expect(wrong).toEqual([]);
    expect(count).toBe(2 ** 7 * 4 * 3 ** 2 * 7);
    expect(seen).toEqual(['abort', 'budget', 'cap_hit', 'continue', 'doom_loop', 'partial', 'proven', 'success']);
  });
});
