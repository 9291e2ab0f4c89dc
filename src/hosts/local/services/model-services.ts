import type { Price } from '../../../../machines/price.ts';
import type { Actor, EffectCall } from '../../../actors/actor.ts';
import { askWithin, type Said } from '../../../actors/model/ask-within.ts';
import { LONGEST } from '../../../actors/model/cost.ts';
import type { Environment } from '../../../actors/model/endpoint.ts';
import type { ModelRequest } from '../../../actors/model/model.ts';
import { MODEL_TIMEOUT_MS, modelActor, type ModelInput } from '../../../actors/model/model-actor.ts';
import type { Clock } from '../../../actors/timer/clock.ts';
import type { Providers } from '../../../actors/model/providers.ts';
import { cheapestModel } from '../cheapest-model.ts';
import { type AnyModel, givenModel, nameFoundElsewhere } from '../given-model.ts';
import { modelNamed } from '../model-by-name.ts';
import { type ImageSource, withImages } from './with-images.ts';
import { memoised } from './memoised.ts';
import { summariesBy, type Summaries } from './summaries.ts';

/** The models that runs of this process name. */
export interface ModelServices {
  /** The model that answers for every run, whatever its settings name. Null: each run's own. */
  readonly onlyModel: string | null;
  /** What runs that name no model record as its name: another program finds that model by it. Null: a default. */
  readonly recordedModel: string | null;
  /** Loads a model and its fallback by their names, so that a run whose model is missing never starts. */
  readonly loadModel: (name: string, fallback?: string | null) => Promise<void>;
  /**
   * What the model of that name costs for a request of that usage; without one at most, however long a request is.
   * Null: its price is unknown.
   */
  readonly priceOf: (name: string, isFallback?: boolean, usage?: typeof LONGEST) => Promise<Price | null>;
  /**
   * The cheapest known model of the provider of a model, for questions that need no better one. Null: none is known, or
   * one model answers for every run.
   */
  readonly cheapestOf: (name: string) => Promise<string | null>;
  /** The size of the model's window in tokens. Null: it is unknown. */
  readonly contextTokensOf: (name: string, isFallback?: boolean) => Promise<number | null>;
  /** The actor that answers under a name, and the model that takes over where that one cannot. */
  readonly model: (name: string, fallback: string | null) => Actor<ModelInput>;
  /** The actors that ask the same model for summaries. */
  readonly summaries: (name: string) => Summaries;
  /** Asks the model of that name one thing, within an allowance. */
  readonly ask: (
    name: string,
    request: ModelRequest,
    allowance: Parameters<typeof askWithin>[2]['allowance'],
    call: EffectCall,
  ) => Promise<Said>;
}

export interface ModelOptions {
  /**
   * Answers for every run, whatever model its settings name: a model of one's own, one of the AI SDK, or the name of
   * one. A run's `fallbackModel` is still found by its name.
   */
  readonly model?: AnyModel;
  /** What is known of providers beyond their defaults, by name. */
  readonly providers?: Providers;
  /** The variables in which keys and addresses of providers are looked up. Default: this process's environment. */
  readonly environment?: Environment;
}

export function modelServices(
  { model, providers = {}, environment = process.env }: ModelOptions,
  clock: Clock,
  imagesOf: ImageSource = async () => [],
): ModelServices {
  const now = () => clock.now();
  const sleep = (milliseconds: number, signal: AbortSignal) => clock.sleepUntil(now() + milliseconds, signal);
  const sources = { providers, environment, now };
  const models = memoised((name) => modelNamed(name, sources));
  const given = typeof model === 'string' ? null : ((model && givenModel(model, sources)) ?? null);
  const onlyName = typeof model === 'string' ? model : null;
  const bare = (name: string) => given ?? models(onlyName ?? name);
  const answering = memoised((name: string) => withImages(bare(name), imagesOf));
  const modelActors = memoised((names: string) => {
    const [name = '', fallback] = names.split('\n');
    return modelActor(answering(name), {
      fallback: fallback === undefined ? null : withImages(models(fallback), imagesOf),
      now,
      sleep,
    });
  });
  return {
    onlyModel: given?.name ?? onlyName,
    recordedModel: model === undefined ? null : nameFoundElsewhere(model),
    loadModel: async (name, fallback) => {
      if (!given) await models(onlyName ?? name).load();
      if (fallback) await models(fallback).load();
    },
    priceOf: async (name, isFallback = false, usage = LONGEST) => {
      const known = isFallback ? models(name).load() : (given ?? models(onlyName ?? name).load());
      return (await known).price?.(usage).catch(() => null) ?? null;
    },
    cheapestOf: memoised(async (name) => (given || onlyName !== null ? null : cheapestModel(name, providers))),
    contextTokensOf: async (name, isFallback = false) =>
      (isFallback ? models(name) : answering(name)).contextTokens?.().catch(() => null) ?? null,
    model: (name, fallback) => modelActors(fallback === null ? name : `${name}\n${fallback}`),
    summaries: memoised((name) => summariesBy(answering(name), { sleep })),
    ask: (name, request, allowance, call) =>
      askWithin(answering(name), request, { allowance, timeoutMs: MODEL_TIMEOUT_MS }, call),
  };
}
