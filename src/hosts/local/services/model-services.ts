import { askWithin } from '../../../actors/model/ask-within.ts';
import { LONGEST } from '../../../budget/cost.ts';
import type { Environment } from '../../../actors/model/endpoint.ts';
import { MODEL_TIMEOUT_MS, modelActor } from '../../../actors/model/model-actor.ts';
import { Meter } from '../../../agents/meter/meter.ts';
import { actorOfModel } from '../../../agents/agent-by-name.ts';
import type { Clock } from '../../../actors/timer/clock.ts';
import type { Providers } from '../../../actors/model/providers.ts';
import { cheapestModel } from '../../../app/start/cheapest-model.ts';
import { type AnyModel, givenModel, nameFoundElsewhere, modelNamed } from '../model-by-name.ts';
import { type ImageSource, withImages } from './with-images.ts';
import { memoised } from './memoise.ts';
import { summariesBy } from './summaries.ts';
import type { ModelServices } from '../../../ports/services.ts';

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
  /** MCP servers for agents of others, which start them. */
  readonly handedServers?: Parameters<typeof actorOfModel>[3];
}

export function modelServices(
  { model, providers = {}, environment = process.env, handedServers = [] }: ModelOptions,
  clock: Clock,
  imagesOf: ImageSource = async () => [],
): ModelServices {
  const now = () => clock.now();
  const meter = new Meter();
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
      const known = isFallback ? models(name).described() : (given ?? models(onlyName ?? name).described());
      return (await known).price?.(usage).catch(() => null) ?? null;
    },
    cheapestOf: memoised(async (name) => (given || onlyName !== null ? null : cheapestModel(name, providers))),
    contextTokensOf: async (name, isFallback = false) =>
      (isFallback ? models(name) : answering(name)).contextTokens?.().catch(() => null) ?? null,
    model: (name, fallback) => modelActors(fallback === null ? name : `${name}\n${fallback}`),
    agent: memoised((name) =>
      given || onlyName !== null ? null : actorOfModel(name, meter, environment, handedServers),
    ),
    summaries: memoised((name) => summariesBy(answering(name), { sleep })),
    ask: (name, request, allowance, call) =>
      askWithin(answering(name), request, { allowance, timeoutMs: MODEL_TIMEOUT_MS }, call),
  };
}
