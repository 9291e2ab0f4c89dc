import type { Environment } from '../../actors/model/endpoint.ts';
import type { Providers } from '../../config/providers.ts';
import { type Secret, secretsIn } from '../../log/redact.ts';

const SECRET_HEADER = /auth|key|token|secret|password|cookie/i;

/**
 * What must not be recorded where these providers are asked: what headers carry, and the keys of their environment. Those
 * of this process too, because commands may see them.
 */
export function secretsOf(providers: Providers = {}, environment: Environment = process.env): readonly Secret[] {
  const settings = Object.entries(providers);
  const variables = settings.flatMap(([, { apiKeyVariable }]) => apiKeyVariable ?? []);
  const headers = settings.flatMap(([provider, { headers = {} }]) =>
    Object.entries(headers).filter(([name]) => SECRET_HEADER.test(name)).map(([name, value]) => ({
      name: `${provider} ${name}`,
      // `Bearer` and its like are no secret, and what follows may stand elsewhere alone.
      value: value.trim().split(/\s+/).at(-1) ?? '',
    })),
  );
  const environments = new Set([environment, process.env]);
  return [...[...environments].flatMap((one) => secretsIn(one, variables)), ...headers];
}
