import type { EventOf, LoopEvent, ToolCall } from '../../../machines/events.ts';
import type { Life } from '../../../machines/life.ts';
import type { Limits, RunSettings } from '../../../machines/settings.ts';
import type { TurnContext } from '../../../machines/turn.machine.ts';
import type { Actor, EffectCall } from '../../actors/actor.ts';
import type { ModelInput } from '../../actors/model/model-actor.ts';
import { Delegation } from '../../actors/tools/delegate.ts';
import { isLimited, leftFor } from '../../budget/allowance.ts';
import { admitted, CALL_ACTORS } from '../../loops/turn/admission.ts';
import { attemptSettings } from '../../loops/attempt-settings.ts';
import type { TurnMemory } from '../../loops/turn/memory.ts';
import { listening } from '../../detectors/chant.ts';
import type { Cast, Performance, Situation } from '../../runtime/cast.ts';
import { lifeOf, type Outstanding } from '../../runtime/fold.ts';
import type { JudgeMemory } from '../../runtime/judge-memory.ts';
import { type LoopDefinition, specOf } from '../../runtime/loop-definition.ts';
import { judged, judgedSlowly } from '../../runtime/judgement.ts';
import { warningOf } from '../../runtime/near-limit.ts';
import { farewell, strategyEnded, type Waiting } from '../../runtime/strategy-effects.ts';
import type { Decision } from '../../runtime/verdict.ts';
import { finalResult } from '../../strategies/ending.ts';
import type { LoopEndEvent, LoopStrategy } from '../../strategies/strategy.ts';
import { handoff } from './handoff.ts';
import { Memory } from './memory.ts';
import { ownPerformance } from './own-effects.ts';
import { release } from './strategies.ts';
import { stateFilesOf } from './state-files.ts';
import { endingSummary } from './summary.ts';
import { isSummedUp, summingUp } from './summing-up.ts';
import type { Troupe } from './troupe.ts';

/** The cast of one run on this machine. */
export function localCast(run: string, settings: RunSettings, loop: LoopDefinition, troupe: Troupe): Cast {
  const memory = new Memory(run, settings, troupe.detectorsOf, loop);
  const named = (configured: RunSettings['strategy'], limits: Limits) =>
    troupe.strategies.of({ configured, limits, directory: settings.directory });
  let strategy = named(settings.strategy, settings.limits);
  return {
    observe: (fact) => {
      memory.observe(fact);
      if (fact.type === 'run.continued') strategy = named(fact.payload.strategy, fact.payload.limits);
    },
    decide: (effect, situation) => decide(effect, situation, memory, strategy, troupe),
    reserve: (situation) => memory.loop.reserve?.(situation, memory.judge) ?? null,
    warn: (situation) => warningOf(situation, memory.judge),
    perform: (effect, situation) => perform(effect, situation, memory, strategy, troupe),
    answer: () => memory.answer(),
    steering: () => memory.steering,
    release: () => void release(strategy),
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
      return asDecided(judged(situation, memory.judge, strategy));
    case 'admitCalls': {
      const payload = admitted(situation, memory.judge, (call) => CALL_ACTORS[troupe.callKind(call, situation.settings.tools)]);
      return { type: 'calls.admitted', payload };
    }
    case 'summarise':
      if (effect.key !== 'summary' || isSummedUp(situation)) return null;
      return { type: 'summary.written', payload: { text: endingSummary(situation, memory.loop) } };
    case 'endStrategy':
      return memory.loop.hears && strategy.onLoopEnd ? null : strategyEnded(null, null);
    default:
      return (specOf(effect, memory.loop).decide?.(situation, memory.judge) ?? null) as LoopEvent | null;
  }
}

/** All that is left, and what is expected to go in. */
function allowanceFor(life: Life, { next: { inputTokens, isCounted } }: JudgeMemory): Pick<ModelInput, 'allowance'> {
  const left = leftFor(life, 'model');
  return isLimited(left) ? { allowance: { ...left, inputTokens, isCounted } } : {};
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
  const { class: effectClass, asksPerson } = specOf(effect, memory.loop);
  if (effectClass === 'child') return child(effect, situation, memory, troupe);
  const handler = memory.loop.handlers?.[effect.actor];
  if (handler) return ownPerformance(handler, { effect, effectClass, situation, memory, troupe });
  if (asksPerson) return bound(troupe.person, null);
  switch (effect.actor) {
    case 'streamModel': {
      const request = {
        run,
        system: settings.system,
        messages: memory.conversation?.messages() ?? [],
        tools: life.limits.maxSteps === 0 ? [] : troupe.toolSpecs(settings.tools),
        step: Math.max(0, (state.snapshot.context as TurnContext).steps - 1),
        iteration: settings.parent?.iteration ?? 0,
      };
      const { replacement, tries } = memory;
      const listener = listening(memory.judge.detectors)?.listener;
      return bound(troupe.model(replacement ?? settings.model, replacement ? null : (settings.fallbackModel ?? null)), {
        request, tries, ...allowanceFor(life, memory.judge), ...(listener ? { listener } : {}),
      });
    }
    case 'runTool': {
      const call = callOf(memory, effect.input['callId']);
      if (!call) throw new Error(`${run}: no answer asked for call ${effect.input['callId']}`);
      return bound(troupe.tools(settings.tools), { ...call, directory, environment, readable: memory.readable });
    }
    case 'captureWorkspace':
      return bound(troupe.capture, {
        directory,
        run,
        number: memory.captures + 1,
        base: memory.captured,
        leaveOut: stateFilesOf(settings),
        needsGit: memory.loop.settings?.needsGit ?? false,
      });
    case 'verifyWork':
      return bound(troupe.verify, {
        checks: strategy.skipsVerification ? [] : settings.checks,
        // Strategies alone are told of it.
        ci: memory.loop.hears ? (settings.ci ?? null) : null,
        directory,
        environment,
        workspace: life.workspace,
      });
    case 'timer': {
      const timer = effect.input['timer'] as EventOf<'timer.fired'>['payload']['timer'];
      return bound(troupe.timer, { timer, dueAt: life.due[timer] });
    }
    case 'judge':
      return repeatable(({ signal }) => judgeSlowly(situation, memory, strategy, { signal, limitMs: troupe.strategyLimitMs }));
    case 'summarise':
      return bound(troupe.summary(memory.replacement ?? settings.model), summingUp(situation, memory));
    case 'endStrategy':
      return repeatable(({ signal }) => farewell(strategy, loopEnd(situation, memory.loop), { signal, limitMs: troupe.strategyLimitMs }));
    default:
      throw new Error(`${memory.loop.id} starts ${effect.actor}, and no handler performs it: add one to its handlers`);
  }
}

function child(effect: Outstanding, situation: Situation, memory: Memory, troupe: Troupe): Performance {
  const { run } = situation;
  const callId = effect.input['callId'];
  if (callId === undefined || specOf(effect, memory.loop).opens) {
    const settings = childSettings(effect, situation, memory);
    return { kind: 'child', callId: callId ?? null, notStarted: null, settings: async () => ({ kind: 'settings', settings }) };
  }
  const call = callOf(memory, callId);
  const share = memory.shares.get(callId);
  if (!call || !share) throw new Error(`${run}: nothing was handed over with call ${callId}`);
  const { settings } = memory;
  const of = { settings, run, callId, share, effect: `${run}/${effect.effect}`, delegation: Delegation.parse(call.arguments) };
  return { kind: 'child', callId, notStarted: notStarted(callId), settings: (asked) => handoff(of, troupe, asked) };
}

/** The run that does one round of a loop: of whatever loop its definition says. */
function childSettings(effect: Outstanding, { run, state }: Situation, memory: Memory): RunSettings {
  const life = lifeOf(state);
  const { limits } = life;
  const { settings, feedback, steering, loop } = memory;
  const opens = specOf(effect, loop).opens ?? attemptSettings;
  return opens({
    settings, run, limits, feedback, steering,
    attemptLimits: settings.attemptLimits ?? limits,
    share: leftFor(life, effect.key),
    effect: `${run}/${effect.effect}`,
    iteration: Math.max(0, loop.rounds.count(life) - 1),
  });
}

const callOf = ({ judge }: Memory, callId: string | undefined): ToolCall | undefined =>
  (judge.own as TurnMemory).answer?.calls.find((call) => call.callId === callId);

const notStarted = (callId: string): EventOf<'tool.failed'> => ({
  type: 'tool.failed',
  payload: { callId, fault: { code: 'not_started', message: 'not run: the work was stopped before it started' } },
});

/** A strategy that takes its time is asked outside the transaction; its word counts only once it is recorded. */
async function* judgeSlowly(situation: Situation, { judge }: Memory, strategy: LoopStrategy, waiting: Waiting): AsyncIterable<LoopEvent> {
  const decision = await judgedSlowly(situation, judge, strategy, waiting);
  if (decision) yield decided(decision);
}

const decided = (payload: Decision): EventOf<'decision.made'> => ({ type: 'decision.made', payload });

function loopEnd({ run, state, at }: Situation, { rounds }: LoopDefinition): LoopEndEvent {
  const { outcome, clockStart } = lifeOf(state);
  const iterations = rounds.count(lifeOf(state));
  return {
    runId: run,
    totalIterations: iterations,
    finalResult: outcome ? finalResult(outcome) : 'error',
    ending: outcome?.ending ?? 'abort',
    elapsedMs: Math.max(0, Date.parse(at) - Date.parse(clockStart)),
  };
}

const asDecided = (decision: Decision | null) => decision && decided(decision);

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
