import type { Environment } from '../../actors/model/endpoint.ts';
import { ModelError } from '../../actors/model/model.ts';
import type { Providers } from '../../actors/model/providers.ts';
import { listed } from '../../text/list-text.ts';
import { proposedModels } from './propose-models.ts';

/** Why a run that names no model has none, and which names would serve, by the keys that are set. */
export function unnamedModel(providers: Providers, environment: Environment): ModelError {
  const { models, obstacles, variables } = proposedModels(providers, environment);
  const choices = models.map(({ model, variable }) => `'${model}' (${variable} is set)`);
  const missing = obstacles.length > 0 ? obstacles.join(' ') : `No key is set in ${listed(variables, 'or')}.`;
  const next = choices.length > 0 ? `Say model: ${listed(choices, 'or')}.` : `${missing} Or say model: 'ollama/MODEL'.`;
  return new ModelError('unknown_model', `No model is named. ${next}`);
}
