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
import { unnamedModel } from '../../app/start/propose-models.ts';
import { isSdkModel, nameOfSdkModel, type SdkModel, sdkModel } from '../../actors/model/sdk-model.ts';

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

/** A model as a program may give it: one of its own, one of the AI SDK, or the name of one, such as `openai/gpt-5`. */
export type AnyModel = Model | SdkModel | string;

/** Whether a value is one of them. A name is read only once its model is needed. */
export function isModel(value: unknown): value is AnyModel {
  if (typeof value === 'string') return value.trim() !== '';
  return isOwnModel(value) || isSdkModel(value);
}

function isOwnModel(value: unknown): value is Model {
  const { name, answer } = Object(value) as Partial<Model>;
  return typeof name === 'string' && typeof answer === 'function';
}

/** A model that was given as an object, as runs are answered by it. */
export const givenModel = (given: Exclude<AnyModel, string>, { providers, now }: ModelSources): Model =>
  isOwnModel(given) ? given : sdkModel(given, providers, now);

/** The name by which another program finds a model, too. Null: only this one has it. */
export function nameFoundElsewhere(given: AnyModel): string | null {
  if (typeof given === 'string') return given;
  return isSdkModel(given) && !isOwnModel(given) ? nameOfSdkModel(given) : null;
}
