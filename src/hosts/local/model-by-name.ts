import type { Usage } from '../../../machines/events.ts';
import { contextTokensOf } from '../../actors/model/context-tokens.ts';
import { endpointOf, type Environment } from '../../actors/model/endpoint.ts';
import type { Model } from '../../actors/model/model.ts';
import { priceOf } from '../../actors/model/prices.ts';
import { providerModel } from '../../actors/model/provider-model.ts';
import { DEFAULT_MODEL } from '../../config/defaults.ts';
import { loadScript } from '../../actors/model/script-file.ts';
import type { Providers } from '../../actors/model/providers.ts';
import { unnamedModel } from './unnamed-model.ts';

const SCRIPT = 'script:';

/** A model that is loaded when it is first needed. */
export interface NamedModel extends Model {
  readonly load: () => Promise<Model>;
}

/** Where the models of this process are found. */
export interface ModelSources {
  readonly providers: Providers;
  readonly environment: Environment;
  readonly now: () => number;
}

/** The model that a run's settings name: `script:FILE` is read from FILE, `PROVIDER/ID` answers over the network. */
export function modelNamed(name: string, sources: ModelSources): NamedModel {
  let loading: Promise<Model> | null = null;
  // What is not there now may be there when it is asked for again.
  let script: Model | null = null;
  const load = () =>
    (loading ??= named(name, sources).then(
      (model) => (script = model),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    ));
  return {
    name,
    load,
    answer: async (request, call) => (await load()).answer(request, call),
    contextTokens: async () => (await load()).contextTokens?.() ?? null,
    // Where a script says no price there is none to miss.
    get price() {
      return isScriptName(name) ? script?.price : async (usage: Usage) => (await load()).price?.(usage) ?? null;
    },
  };
}

export const isScriptName = (name: string): boolean => name.startsWith(SCRIPT);

async function named(name: string, { providers, environment, now }: ModelSources): Promise<Model> {
  if (isScriptName(name)) return loadScript(name.slice(SCRIPT.length));
  if (name === DEFAULT_MODEL) throw unnamedModel(providers, environment);
  const endpoint = endpointOf(name, providers, environment);
  const contextTokens = () => contextTokensOf(endpoint, providers);
  return providerModel(endpoint, { price: priceOf(endpoint), contextTokens, now });
}
