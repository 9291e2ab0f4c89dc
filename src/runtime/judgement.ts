import type { EventOf, ToolCall } from '../../machines/events.ts';
import type { IterationContext } from '../../machines/iteration.machine.ts';
import type { TurnContext } from '../../machines/turn.machine.ts';
import { admit, type Blocked, remainingCalls } from '../budget/admit.ts';
import { isPure, type LoopStrategy } from '../strategies/strategy.ts';
import { LIMIT_NEAR, nearing, nearText } from '../budget/near.ts';
import { attemptShare, stepReservation, usedBy } from './affordable.ts';
import type { Reserved, Situation } from './cast.ts';
import { lifeOf } from './fold.ts';
import { withShares } from './handing-over.ts';
import { type Advice, type Decision, type Evidence, judgeIteration, judgeTurn } from './judge.ts';
import type { JudgeMemory } from './judge-memory.ts';
import { advise, type Waiting } from './strategy-effects.ts';

/** Whether a run goes on, where that can be said at once. Null: its strategy takes its time, see `judgedSlowly`. */
export function judged(situation: Situation, memory: JudgeMemory, strategy: LoopStrategy): Decision | null {
  if (situation.settings.loop === 'turn') return judgeTurn(evidence<TurnContext>(situation, memory));
  const known = evidence<IterationContext>(situation, memory);
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
  const known = evidence<IterationContext>(situation, memory);
  const complete = memory.iterations.complete(known.context, situation.at);
  let advice: Advice | null = null;
  if (complete) {
    const advised = await advise(strategy, complete, waiting);
    if (waiting.signal.aborted) return null;
    if (advised.kind === 'fault') {
      const { fault } = advised;
      const sink = { ending: 'abort', cause: 'error', fault } as const;
      return { action: 'stop', sink, reason: fault.message, evidence: [known.idOf(known.version)] };
    }
    advice = advised.advice;
  }
  return judgeIteration(known, advice);
}

/** Which calls of the newest answer may run. `actorOf` tells who performs one. */
export function admitted(
  { state }: Pick<Situation, 'state'>,
  { answer, findings, settings }: JudgeMemory,
  actorOf: (call: ToolCall) => EventOf<'calls.admitted'>['payload']['run'][number]['actor'],
): EventOf<'calls.admitted'>['payload'] {
  const { limits, spend } = lifeOf(state);
  // What leads to a stop is not done once more first.
  const blocks = findings.filter(({ level, calls }) => level === 'block' || (level === 'stop' && calls !== undefined));
  const blocked: Blocked = new Map(blocks.flatMap(({ calls = [], message }) => calls.map((callId) => [callId, message] as const)));
  const { run, refused } = admit(answer?.calls ?? [], remainingCalls(limits, spend), blocked);
  const shared = withShares(run, actorOf, { settings, life: lifeOf(state) });
  return {
    run: shared.run,
    refused: [...refused, ...shared.refused],
    ...(blocks.length > 0 ? { findings: blocks } : {}),
  };
}

/** What is set aside for the step, or the attempt, that has just been decided on. */
export function reservedFor({ settings, state }: Situation, { next }: JudgeMemory): Reserved {
  if (settings.loop === 'turn') {
    const reserved = stepReservation(lifeOf(state), next);
    return reserved ? { ofStep: { reserved } } : {};
  }
  const reserved = attemptShare(lifeOf(state));
  return reserved ? { ofAttempt: { reserved } } : {};
}

/** The next limit that is near, and of which nobody was told. */
export function warningOf({ state, at }: Situation, { warnedOf }: JudgeMemory): EventOf<'warning.raised'> | null {
  const life = lifeOf(state);
  const iterations = 'iterations' in life ? Number(life.iterations) : 0;
  const limit = nearing(life.limits, usedBy(life, at, iterations)).find(({ name }) => !warnedOf.has(name));
  return limit ? { type: 'warning.raised', payload: { code: LIMIT_NEAR, message: nearText(limit), limit } } : null;
}

function evidence<Context extends TurnContext | IterationContext>(
  { state, at }: Situation,
  { findings, report, idOf, next, answer, chant, verdicts, iterations }: JudgeMemory,
): Evidence<Context> {
  const context = state.snapshot.context as Context;
  const failedBefore = context.workspace !== null && verdicts.get(context.workspace) === false;
  return { context, at, findings, report, idOf, failedBefore, isCut: answer?.cut !== undefined, chant, next: { inputTokens: next.inputTokens, price: next.price }, version: state.version, iterations };
}
