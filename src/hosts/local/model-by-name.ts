import type { Usage } from '../../../machines/events.ts';
import { agentOfModel, isAgentModel } from '../../../machines/agent-model.ts';
import { AGENT_NAMES, readAgentName } from '../../agents/agent-name.ts';
import { contextTokensOf } from '../../actors/model/context-tokens.ts';
import { endpointOf, type Environment } from '../../actors/model/endpoint.ts';
import { type Model, ModelError } from '../../actors/model/model.ts';
import { priceOf } from '../../actors/model/prices.ts';
import { providerModel } from '../../actors/model/provider-model.ts';
import { DEFAULT_MODEL } from '../../options/defaults.ts';
import { isScriptName, loadScript, SCRIPT } from '../../actors/model/script-file.ts';
import type { Providers } from '../../actors/model/providers.ts';
import { unnamedModel } from '../../app/start/model-choice.ts';

/** A model that is loaded when it is first needed. */
export interface NamedModel extends Model {
  readonly load: () => Promise<Model>;
  /** The same for its price and its window, which need no key of a provider. */
  readonly described: () => Promise<Pick<Model, 'price' | 'contextTokens'>>;
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
  const described = async () =>
    isScriptName(name) || isAgentModel(name) ? load() : providedModel(name, sources, true);
  return {
    name,
    load,
    described,
    answer: async (request, call) => (await load()).answer(request, call),
    contextTokens: async () => (await described()).contextTokens?.() ?? null,
    // Where a script says no price there is none to miss.
    get price() {
      return isScriptName(name) || isAgentModel(name)
        ? script?.price
        : async (usage: Usage) => (await described()).price?.(usage) ?? null;
    },
  };
}

async function named(name: string, sources: ModelSources): Promise<Model> {
  if (isScriptName(name)) return loadScript(name.slice(SCRIPT.length));
  if (isAgentModel(name)) return agentModel(name);
  return providedModel(name, sources, false);
}

/** An agent of others does the work of whole steps: it answers no question of ours. */
function agentModel(name: string): Model {
  const agent = agentOfModel(name) ?? '';
  if (!readAgentName(agent)) {
    throw new ModelError('unknown_model', `There is no agent ${agent}. Known: ${AGENT_NAMES}.`);
  }
  return { name, answer: () => Promise.reject(new ModelError('model_error', `${agent} answers no single questions.`)) };
}

function providedModel(name: string, { providers, environment, now }: ModelSources, withoutKey: boolean): Model {
  if (name === DEFAULT_MODEL) throw unnamedModel(providers, environment);
  const endpoint = endpointOf(name, providers, environment, { withoutKey });
  const contextTokens = () => contextTokensOf(endpoint, providers);
  return providerModel(endpoint, { price: priceOf(endpoint), contextTokens, now });
}
