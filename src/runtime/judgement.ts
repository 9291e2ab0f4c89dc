import type { Life } from '../../machines/life.ts';
import { isPure, type LoopStrategy } from '../strategies/strategy.ts';
import { usedBy } from './affordable.ts';
import type { Situation } from './cast.ts';
import type { Evidence } from './evidence.ts';
import type { JudgeMemory } from './judge-memory.ts';
import { advise, type Waiting } from './strategy-effects.ts';
import { type Decision, stop } from './verdict.ts';

/** What is known of a run at the moment its judge is asked. */
export function evidenceIn({ state, at }: Situation, memory: JudgeMemory): Evidence {
  const context: Life = state.snapshot.context;
  const { findings, report, idOf, next, verdicts, loop, own } = memory;
  return {
    context, at, findings, report, idOf,
    memory: own,
    round: loop.describe.round,
    version: state.version,
    used: usedBy(context, at, loop.rounds),
    failedBefore: context.workspace !== null && verdicts.get(context.workspace) === false,
    next: { inputTokens: next.inputTokens, price: next.price },
  };
}

/** Whether a run goes on, where that can be said at once. Null: its strategy takes its time, see `judgedSlowly`. */
export function judged(situation: Situation, memory: JudgeMemory, strategy: LoopStrategy): Decision | null {
  const { loop } = memory;
  const known = evidenceIn(situation, memory);
  const complete = loop.hears?.(known);
  if (!complete) return loop.judge(known, null);
  if (isPure(strategy)) return loop.judge(known, { strategy: strategy.name, decision: strategy.decide(complete) });
  // An abort, a fault or the deadline has decided already: no opinion is waited for.
  const { abort, fault, deadlinePassed } = known.context;
  return abort || fault || deadlinePassed ? loop.judge(known, null) : null;
}

/** The same from a strategy that takes its time. Null: it was told to stop meanwhile. */
export async function judgedSlowly(
  situation: Situation,
  memory: JudgeMemory,
  strategy: LoopStrategy,
  waiting: Waiting,
): Promise<Decision | null> {
  const { loop } = memory;
  const known = evidenceIn(situation, memory);
  const complete = loop.hears?.(known);
  if (!complete) return loop.judge(known, null);
  const advised = await advise(strategy, complete, { ...waiting, round: loop.describe.round });
  if (waiting.signal.aborted) return null;
  if (advised.kind === 'advice') return loop.judge(known, advised.advice);
  return stop(known, { ending: 'abort', cause: 'error', fault: advised.fault });
}
