import type { Price } from '../../../machines/price.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Actor, EffectCall } from '../../actors/actor.ts';
import { askWithin, type Said } from '../../actors/model/ask-within.ts';
import { LONGEST } from '../../actors/model/cost.ts';
import type { Environment } from '../../actors/model/endpoint.ts';
import type { Model, ModelRequest } from '../../actors/model/model.ts';
import { MODEL_TIMEOUT_MS, modelActor, type ModelInput } from '../../actors/model/model-actor.ts';
import type { Allowance } from '../../actors/model/purse.ts';
import { summaryActor, type SummaryInput } from '../../actors/model/summary-actor.ts';
import { personActor } from '../../actors/person/person-actor.ts';
import type { ToolSpec } from '../../actors/tool-spec.ts';
import { builtinTools } from '../../actors/tools/builtin.ts';
import type { Tool } from '../../actors/tools/tool.ts';
import { toolActor, type ToolInput } from '../../actors/tools/tool-actor.ts';
import { toolSpecs } from '../../actors/tools/tool-specs.ts';
import { toolTable } from '../../actors/tools/tool-table.ts';
import { type Clock, systemClock } from '../../actors/timer/clock.ts';
import { timerActor, type TimerInput } from '../../actors/timer/timer-actor.ts';
import { verifyActor, type VerifyInput } from '../../actors/verify/verify-actor.ts';
import { captureActor, type CaptureInput } from '../../actors/workspace/capture-actor.ts';
import { DEFAULT_DETECTORS } from '../../config/defaults.ts';
import { type ConfigFault, faultSentence } from '../../config/fault.ts';
import type { Providers } from '../../config/providers.ts';
import type { Detector } from '../../detectors/detector.ts';
import { detectorsOf } from '../../detectors/profile.ts';
import type { TraitsOf } from '../../detectors/traits.ts';
import type { CallKindOf } from '../../runtime/own-judgement.ts';
import { STRATEGY_LIMIT_MS } from '../../runtime/strategy-effects.ts';
import type { StrategyRegistry } from '../../strategies/registry.ts';
import { type AgentLookup, nobodyElse } from './agents.ts';
import { modelNamed } from './model-by-name.ts';
import { localStrategies, type Strategies } from './strategies.ts';

/** Everybody who can play in this process, whatever the run. Casts are put together from it. */
export interface Troupe {
  /** Those that a run has chosen, and the program's own. */
  readonly detectorsOf: (choices: RunSettings['detectors']) => readonly Detector[];
  /** Why a choice is none; nothing where it is one. */
  readonly detectorFaults: (choices: RunSettings['detectors']) => readonly ConfigFault[];
  readonly strategies: Strategies;
  /** How long a strategy may think. */
  readonly strategyLimitMs: number;
  /** Reads what the names of a model and its fallback stand for, so that a run whose model is missing never starts. */
  readonly loadModel: (name: string, fallback?: string | null) => Promise<void>;
  /** What the model of that name costs at most, however long a request is. Null: nobody knows. */
  readonly priceOf: (name: string, isFallback?: boolean) => Promise<Price | null>;
  /** Whoever answers under a name, and who takes over where that one cannot. */
  readonly model: (name: string, fallback: string | null) => Actor<ModelInput>;
  /** The same who answers, to sum up a run that a limit has ended. */
  readonly summary: (name: string) => Actor<SummaryInput>;
  /** Asks whoever answers under a name one thing, within an allowance. */
  readonly ask: (name: string, request: ModelRequest, allowance: Allowance, call: EffectCall) => Promise<Said>;
  readonly tools: (names: readonly string[]) => Actor<ToolInput>;
  readonly toolSpecs: (names: readonly string[]) => readonly ToolSpec[];
  /** Who answers a call: a person or another run where its tool is offered and wants one, and its arguments are as it wants them. */
  readonly callKind: CallKindOf;
  /** Whom work can be handed to. */
  readonly agents: AgentLookup;
  readonly person: Actor<null>;
  readonly capture: Actor<CaptureInput>;
  readonly verify: Actor<VerifyInput>;
  readonly timer: Actor<TimerInput>;
  readonly clock: Clock;
}

export interface TroupeOptions {
  /** Answers for every run, whatever model its settings name. */
  readonly model?: Model;
  /** What is known of providers beyond their defaults, by name. */
  readonly providers?: Providers;
  /** Where keys and addresses of providers are looked for: the environment of this process, if not said. */
  readonly environment?: Environment;
  /** Beside the built-in ones. A name that is taken twice, or that no provider takes, throws a `TypeError` at once. */
  readonly tools?: readonly Tool[];
  /** Finds the agents that a model can hand work to by name. Without it there are none, and work is only done by its like. */
  readonly agents?: AgentLookup;
  readonly strategies?: StrategyRegistry;
  /** How long a strategy may think, 60 s where nobody says: the run of one that takes longer ends by an error. */
  readonly strategyLimitMs?: number;
  /** Watch every run, beside those it has chosen. */
  readonly detectors?: readonly Detector[];
  readonly clock?: Clock;
}

export function localTroupe(options: TroupeOptions = {}): Troupe {
  const { detectors: own = [], clock = systemClock, strategyLimitMs = STRATEGY_LIMIT_MS } = options;
  const tools = [...toolTable([...builtinTools(), ...(options.tools ?? [])]).values()];
  const offered = (names: readonly string[]) => tools.filter(({ name }) => names.includes(name));
  const traits: TraitsOf = (name) => tools.find((tool) => tool.name === name)?.traits ?? {};
  const chosenBy = (choices: RunSettings['detectors'] = [...DEFAULT_DETECTORS]) => detectorsOf(choices, traits);
  const { providers = {}, environment = process.env } = options;
  const now = () => clock.now();
  const models = memoised((name) => modelNamed(name, { providers, environment, now }));
  const sleep = (milliseconds: number, signal: AbortSignal) => clock.sleepUntil(now() + milliseconds, signal);
  const modelActors = memoised((names: string) => {
    const [name = '', fallback] = names.split('\n');
    return modelActor(options.model ?? models(name), { fallback: fallback === undefined ? null : models(fallback), now, sleep });
  });
  const summaryActors = memoised((name) => summaryActor(options.model ?? models(name)));
  const toolActors = memoised((names: string) => toolActor(offered(names.split('\n'))));
  const specs = memoised((names: string) => toolSpecs(offered(names.split('\n'))));
  return {
    detectorsOf: (choices) => {
      const chosen = chosenBy(choices);
      if (chosen.kind === 'refused') throw new Error(chosen.faults.map(faultSentence).join('; '));
      return [...chosen.detectors, ...own];
    },
    detectorFaults: (choices) => {
      const chosen = chosenBy(choices);
      return chosen.kind === 'refused' ? chosen.faults : [];
    },
    strategies: localStrategies(options.strategies),
    strategyLimitMs,
    priceOf: async (name, isFallback = false) => {
      const known = options.model && !isFallback ? options.model : await models(name).load();
      return known.price?.(LONGEST).catch(() => null) ?? null;
    },
    loadModel: async (name, fallback) => {
      if (!options.model) await models(name).load();
      if (fallback) await models(fallback).load();
    },
    model: (name, fallback) => modelActors(fallback === null ? name : `${name}\n${fallback}`),
    summary: summaryActors,
    ask: (name, request, allowance, call) =>
      askWithin(options.model ?? models(name), request, { allowance, timeoutMs: MODEL_TIMEOUT_MS }, call),
    tools: (names) => toolActors(names.join('\n')),
    toolSpecs: (names) => specs(names.join('\n')),
    callKind: ({ tool, arguments: given }, names) => {
      const { asksPerson, handsOver } = offered(names).find(({ name, input }) => name === tool && input.safeParse(given).success) ?? {};
      if (asksPerson) return 'person';
      return handsOver ? 'child' : 'tool';
    },
    agents: options.agents ?? nobodyElse,
    person: personActor(),
    capture: captureActor(),
    verify: verifyActor(),
    timer: timerActor(clock),
    clock,
  };
}

function memoised<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
