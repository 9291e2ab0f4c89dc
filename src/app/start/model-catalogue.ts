import { endpointOf, type Environment } from '../../actors/model/endpoint.ts';
import { type KnownProvider, knownModels } from '../../actors/model/model-knowledge.ts';
import { ModelError } from '../../actors/model/model.ts';
import type { Providers } from '../../actors/model/providers.ts';

/** A provider, and whether it would answer, as far as is known without a request. */
export interface CataloguedProvider extends KnownProvider {
  readonly key: 'found' | 'missing' | 'not needed';
  /** What is missing, as text; null where nothing is. Never the key. */
  readonly obstacle: string | null;
}

/** Every provider that can be named here, with its models and their prices. Sends no request. */
export async function modelCatalogue(providers: Providers, environment: Environment): Promise<CataloguedProvider[]> {
  const known = await knownModels(providers);
  return known.map((one) => ({ ...one, ...readiness(one.provider, providers, environment) }));
}

function readiness(provider: string, providers: Providers, environment: Environment) {
  try {
    const { key } = endpointOf(`${provider}/MODEL`, providers, environment);
    return { key: key === null ? 'not needed' : 'found', obstacle: null } as const;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { key: error.code === 'authentication' ? 'missing' : 'not needed', obstacle: error.message } as const;
  }
}
