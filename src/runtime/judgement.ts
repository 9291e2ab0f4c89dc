import type { IterationContext } from '../../machines/iteration.machine.ts';
import type { TurnContext } from '../../machines/turn.machine.ts';
import { isPure, type LoopStrategy } from '../strategies/strategy.ts';
import type { Situation } from './cast.ts';
import { evidenceIn } from './evidence.ts';
import { judgeIteration, judgeTurn } from './judge.ts';
import type { JudgeMemory } from './judge-memory.ts';
import { advise, type Waiting } from './strategy-effects.ts';
import { type Decision, stop } from './verdict.ts';

/** Whether a run goes on, where that can be said at once. Null: its strategy takes its time, see `judgedSlowly`. */
export function judged(situation: Situation, memory: JudgeMemory, strategy: LoopStrategy): Decision | null {
  if (situation.settings.loop === 'turn') return judgeTurn(evidenceIn<TurnContext>(situation, memory));
  const known = evidenceIn<IterationContext>(situation, memory);
  const complete = memory.iterations.complete(known.context, known.at);
  if (!complete) return judgeIteration(known, null);
  if (isPure(strategy)) return judgeIteration(known, { strategy: strategy.name, decision: strategy.decide(complete) });
  // Nobody waits for an opinion on what an abort, a fault or the deadline has decided already.
  const { abort, fault, deadlinePassed } = known.context;
  return abort || fault || deadlinePassed ? judgeIteration(known, null) : null;
}

/** The same from a strategy that takes its time. Null: it was told to stop meanwhile. */
export async function judgedSlowly(
  situation: Situation,
  memory: JudgeMemory,
  strategy: LoopStrategy,
  waiting: Waiting,
): Promise<Decision | null> {
  const known = evidenceIn<IterationContext>(situation, memory);
  const complete = memory.iterations.complete(known.context, known.at);
  if (!complete) return judgeIteration(known, null);
  const advised = await advise(strategy, complete, waiting);
  if (waiting.signal.aborted) return null;
  if (advised.kind === 'advice') return judgeIteration(known, advised.advice);
  return stop(known, { ending: 'abort', cause: 'error', fault: advised.fault });
}
