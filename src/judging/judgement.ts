import type { Opinion } from '../../machines/outcome.ts';
import type { Limits } from '../../machines/settings.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { Life } from '../../machines/life.ts';
import { isPure, type LoopStrategy } from '../strategies/strategy.ts';
import { usedBy } from './affordability.ts';
import type { RunContext } from '../kernel/effect-handlers.ts';
import { type Evidence, type Decision, stop } from '../kernel/decision.ts';
import { findingToAsk, withOpinions, withoutForgiven } from './opinions.ts';
import type { JudgeMemory } from './judge-memory.ts';
import { advise, type TimeLimit } from './strategy-effects.ts';

/** The evidence of a run at the moment its judge is asked. */
export function evidenceIn(
  { state, at }: RunContext,
  memory: JudgeMemory,
  opinions: readonly Opinion[] = [],
): Evidence {
  const context: Life = state.snapshot.context;
  const { report, grade, enough, baseline, beginning, idOf, next, verdicts, loop, own } = memory;
  return {
    context,
    at,
    findings: withoutForgiven(memory.findings, opinions),
    report,
    grade,
    enough,
    baseline,
    beginning,
    idOf,
    memory: own,
    round: loop.describe.round,
    version: state.version,
    used: usedBy(context, at, loop.rounds),
    failedBefore: context.workspace !== null && verdicts.get(context.workspace) === false,
    next: { inputTokens: next.inputTokens, price: next.price },
  };
}

/**
 * Decides at once whether a run continues. Null: its strategy is asynchronous, see `judgedSlowly`. `opinions`: of
 * those who were asked about findings.
 */
export function judged(
  context: RunContext,
  memory: JudgeMemory,
  strategy: LoopStrategy,
  opinions: readonly Opinion[] = [],
): Decision | null {
  const { loop } = memory;
  const known = evidenceIn(context, memory, opinions);
  const complete = loop.strategyInput?.(known);
  if (!complete) return loop.judge(known, null);
  if (isPure(strategy)) return loop.judge(known, { strategy: strategy.name, decision: strategy.decide(complete) });
  // An abort, a fault or the deadline has decided already: the strategy is not awaited.
  const { abort, fault, deadlinePassed } = known.context;
  return abort || fault || deadlinePassed ? loop.judge(known, null) : null;
}

/**
 * A decision with the opinions that were recorded with it. They are facts: where the same finding ends the run, the
 * question is not put again.
 */
export function judgedWith(opinions: readonly Opinion[] | undefined, decision: Decision, asked: () => Asked): Decision {
  if (!opinions) return decision;
  const { context, memory, strategy } = asked();
  if (!strategy || !findingToAsk(decision, memory.findings)) return decision;
  const again = judged(context, memory, strategy, opinions);
  return again ? withOpinions(again, opinions, undefined) : decision;
}

interface Asked {
  readonly context: RunContext;
  readonly memory: JudgeMemory;
  readonly strategy: LoopStrategy | null;
}

/** Decides with an asynchronous strategy. Null: it was told to stop meanwhile. */
export async function judgedSlowly(
  context: RunContext,
  memory: JudgeMemory,
  strategy: LoopStrategy,
  waiting: TimeLimit,
): Promise<Decision | null> {
  const { loop } = memory;
  const known = evidenceIn(context, memory);
  const complete = loop.strategyInput?.(known);
  if (!complete) return loop.judge(known, null);
  const advised = await advise(strategy, complete, { ...waiting, round: loop.describe.round });
  if (waiting.signal.aborted) return null;
  if (advised.kind === 'advice') return loop.judge(known, advised.advice);
  return stop(known, { ending: 'abort', cause: 'error', fault: advised.fault });
}

/**
 * The caps that a strategy is made with. Where the loop's own events change how many rounds may run, it has none: the
 * number of its start would be wrong later, and the loop itself ends at the one in force.
 */
export const strategyLimits = ({ rounds }: Pick<LoopDefinition, 'rounds'>, limits: Limits): Limits =>
  rounds.most ? { ...limits, maxIterations: null } : limits;
