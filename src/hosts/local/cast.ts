import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import type { IterationContext } from '../../../machines/iteration.machine.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { TurnContext } from '../../../machines/turn.machine.ts';
import type { Actor, EffectCall } from '../../actors/actor.ts';
import { admit, remainingCalls } from '../../budget/admit.ts';
import type { Cast, Performance, Situation } from '../../runtime/cast.ts';
import { lifeOf, type Outstanding } from '../../runtime/fold.ts';
import { type Advice, judgeIteration, judgeTurn } from '../../runtime/judge.ts';
import { advise, farewell, strategyEnded } from '../../runtime/strategy-effects.ts';
import { finalResult } from '../../strategies/ending.ts';
import { isPure, type LoopEndEvent, type LoopStrategy } from '../../strategies/strategy.ts';
import { attemptSettings } from './attempt.ts';
import { Memory } from './memory.ts';
import { endingSummary } from './summary.ts';
import type { Troupe } from './troupe.ts';

/** The cast of one run on this machine. */
export function localCast(run: string, settings: RunSettings, troupe: Troupe): Cast {
  const memory = new Memory(run, settings, troupe.detectors);
  let strategy = troupe.strategyOf(settings.strategy, settings.limits);
  return {
    observe: (fact) => {
      memory.observe(fact);
      if (fact.type === 'run.continued') strategy = troupe.strategyOf(fact.payload.strategy, fact.payload.limits);
    },
    decide: (effect, situation) => decide(effect, situation, memory, strategy, troupe),
    perform: (effect, situation) => perform(effect, situation, memory, strategy, troupe),
    answer: () => (settings.loop === 'turn' ? memory.transcript.answer() : memory.childAnswer),
    steering: () => memory.steering,
  };
}

function decide(
  effect: Outstanding,
  situation: Situation,
  memory: Memory,
  strategy: LoopStrategy,
  troupe: Troupe,
): LoopEvent | null {
  switch (effect.actor) {
    case 'judge':
      return judge(situation, memory, strategy);
    case 'admitCalls': {
      const { limits, spend } = lifeOf(situation.state);
      const { run, refused } = admit(memory.answer?.calls ?? [], remainingCalls(limits, spend));
      const admitted = run.map((call) => ({
        callId: call.callId,
        actor: troupe.asksPerson(call, situation.settings.tools) ? ('askPerson' as const) : ('runTool' as const),
      }));
      return { type: 'calls.admitted', payload: { run: admitted, refused: [...refused] } };
    }
    case 'summarise':
      return effect.key === 'summary'
        ? { type: 'summary.written', payload: { text: endingSummary(situation) } }
        : null;
    case 'endStrategy':
      return situation.settings.loop === 'iteration' && strategy.onLoopEnd ? null : strategyEnded(null, null);
    default:
      return null;
  }
}

function judge(situation: Situation, memory: Memory, strategy: LoopStrategy): LoopEvent | null {
  if (situation.settings.loop === 'turn') return decided(judgeTurn(evidence<TurnContext>(situation, memory)));
  const known = evidence<IterationContext>(situation, memory);
  const complete = memory.iterations.complete(known.context, known.at);
  if (!complete) return decided(judgeIteration(known, null));
  if (isPure(strategy)) return decided(judgeIteration(known, { strategy: strategy.name, decision: strategy.decide(complete) }));
  // Nobody waits for an opinion on what an abort, a fault or the deadline has decided already.
  const { abort, fault, deadlinePassed } = known.context;
  return abort || fault || deadlinePassed ? decided(judgeIteration(known, null)) : null;
}

function perform(
  effect: Outstanding,
  situation: Situation,
  memory: Memory,
  strategy: LoopStrategy,
  troupe: Troupe,
): Performance {
  const { run, settings, state } = situation;
  const { directory, environment = [] } = settings;
  const life = lifeOf(state);
  switch (effect.actor) {
    case 'streamModel': {
      const request = {
        run,
        system: settings.system,
        messages: memory.transcript.messages(),
        tools: life.limits.maxSteps === 0 ? [] : troupe.toolSpecs(settings.tools),
        step: Math.max(0, life.spend.steps - 1),
        iteration: settings.parent?.iteration ?? 0,
      };
      const { replacement, tries } = memory;
      return bound(troupe.model(replacement ?? settings.model, replacement ? null : (settings.fallbackModel ?? null)), { request, tries });
    }
    case 'runTool': {
      const call = memory.answer?.calls.find(({ callId }) => callId === effect.input['callId']);
      if (!call) throw new Error(`${run}: no answer asked for call ${effect.input['callId']}`);
      return bound(troupe.tools(settings.tools), { ...call, directory, environment, readable: memory.readable });
    }
    case 'askPerson':
      return bound(troupe.person, null);
    case 'captureWorkspace':
      return bound(troupe.capture, {
        directory,
        run,
        number: memory.captures + 1,
        base: memory.captured,
        needsGit: settings.loop === 'iteration',
      });
    case 'verifyWork':
      return bound(troupe.verify, { checks: settings.checks, directory, environment, workspace: life.workspace });
    case 'timer': {
      const timer = effect.input['timer'] as EventOf<'timer.fired'>['payload']['timer'];
      return bound(troupe.timer, { timer, dueAt: life.due[timer] });
    }
    case 'runAgent':
      return { kind: 'child', settings: childSettings(effect, situation, memory) };
    case 'judge':
      return repeatable((call) => judgeSlowly(situation, memory, strategy, call));
    case 'endStrategy':
      return repeatable((call) => farewell(strategy, loopEnd(situation), call));
    default:
      throw new Error(`${run}: nobody here performs ${effect.actor}`);
  }
}

function childSettings(effect: Outstanding, { run, settings, state }: Situation, memory: Memory): RunSettings {
  const { limits, spend } = lifeOf(state);
  const { iterations } = state.snapshot.context as IterationContext;
  const attemptLimits = memory.attemptLimits ?? limits;
  return attemptSettings({
    settings, run, limits, attemptLimits, spend,
    effect: `${run}/${effect.effect}`,
    iteration: Math.max(0, iterations - 1),
    feedback: memory.feedback,
    steering: memory.steering,
  });
}

/** A strategy that takes its time is asked outside the transaction; its word counts only once it is recorded. */
async function* judgeSlowly(situation: Situation, memory: Memory, strategy: LoopStrategy, call: EffectCall): AsyncIterable<LoopEvent> {
  const known = evidence<IterationContext>(situation, memory);
  const complete = memory.iterations.complete(known.context, situation.at);
  let advice: Advice | null = null;
  if (complete) {
    const advised = await advise(strategy, complete, call);
    if (call.signal.aborted) return;
    if (advised.kind === 'fault') {
      const { fault } = advised;
      yield decided({
        action: 'stop',
        sink: { ending: 'abort', cause: 'error', fault },
        reason: fault.message,
        evidence: [known.idOf(known.version)],
      });
      return;
    }
    advice = advised.advice;
  }
  yield decided(judgeIteration({ ...known, at: situation.at }, advice));
}

const decided = (payload: EventOf<'decision.made'>['payload']): EventOf<'decision.made'> => ({ type: 'decision.made', payload });

function evidence<Context extends TurnContext | IterationContext>({ state, at }: Situation, memory: Memory) {
  const context = state.snapshot.context as Context;
  return { context, at, findings: memory.findings, report: memory.report, idOf: memory.idOf, version: state.version };
}

function loopEnd({ run, state, at }: Situation): LoopEndEvent {
  const { outcome, clockStart, iterations } = state.snapshot.context as IterationContext;
  return {
    runId: run,
    totalIterations: iterations,
    finalResult: outcome ? finalResult(outcome) : 'error',
    ending: outcome?.ending ?? 'abort',
    elapsedMs: Math.max(0, Date.parse(at) - Date.parse(clockStart)),
  };
}

const repeatable = (play: (call: EffectCall) => AsyncIterable<LoopEvent>): Performance => ({
  kind: 'actor',
  effectClass: 'repeatable',
  perform: play,
});

function bound<Input>(actor: Actor<Input>, input: Input): Performance {
  const { reconcile } = actor;
  return {
    kind: 'actor',
    effectClass: actor.effectClass(input),
    perform: (call) => actor.perform(input, call),
    ...(reconcile ? { reconcile: (call: EffectCall) => reconcile(input, call) } : {}),
  };
}
