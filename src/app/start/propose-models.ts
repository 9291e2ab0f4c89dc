import { endpointOf, type Environment, keyVariablesOf } from '../../actors/model/endpoint.ts';
import { ModelError } from '../../actors/model/model.ts';
import type { Providers } from '../../actors/model/providers.ts';
import { USUAL_MODELS } from '../../actors/model/usual-models.ts';
import { listed } from '../../text/list-text.ts';

/** A model whose key was found. */
export interface ProposedModel {
  readonly model: string;
  /** The variable of the environment that holds its key. */
  readonly variable: string;
}

export interface ProposedModels {
  readonly models: readonly ProposedModel[];
  /** Why a key that is set cannot be used. */
  readonly obstacles: readonly string[];
  /** The variables that a key could be put into. */
  readonly variables: readonly string[];
}

/**
 * A model of every provider whose key is set, the user's own providers first: of those the first model with a price.
 * Sends no request.
 */
export function proposedModels(providers: Providers, environment: Environment): ProposedModels {
  const own = Object.entries(providers).flatMap(([name, { prices = {} }]) => {
    const [id = USUAL_MODELS.get(name)] = Object.keys(prices);
    return id === undefined ? [] : [[name, id] as const];
  });
  const usual = [...USUAL_MODELS].filter(([name]) => !own.some(([given]) => given === name));
  const models: ProposedModel[] = [];
  const obstacles: string[] = [];
  for (const [provider, id] of [...own, ...usual]) {
    const { set: variable } = keyVariablesOf(provider, providers, environment);
    if (variable === null) continue;
    const model = `${provider}/${id}`;
    const obstacle = obstacleTo(model, providers, environment);
    if (obstacle === null) models.push({ model, variable });
    else obstacles.push(obstacle);
  }
  const variables = usual.flatMap(([name]) => keyVariablesOf(name, providers, environment).variables);
  return { models, obstacles, variables };
}

function obstacleTo(model: string, providers: Providers, environment: Environment): string | null {
  try {
    endpointOf(model, providers, environment);
    return null;
  } catch (error) {
    if (error instanceof ModelError) return error.message;
    throw error;
  }
}

/** Why a run that names no model has none, and which names would serve, by the keys that are set. */
export function unnamedModel(providers: Providers, environment: Environment): ModelError {
  const { models, obstacles, variables } = proposedModels(providers, environment);
  const choices = models.map(({ model, variable }) => `'${model}' (${variable} is set)`);
  const missing = obstacles.length > 0 ? obstacles.join(' ') : `No key is set in ${listed(variables, 'or')}.`;
  const next = choices.length > 0 ? `Say model: ${listed(choices, 'or')}.` : `${missing} Or say model: 'ollama/MODEL'.`;
  return new ModelError('unknown_model', `No model is named. ${next}`);
}
