import type { Environment } from '../../actors/model/endpoint.ts';
import type { Providers } from '../../config/providers.ts';
import { type Secret, secretsIn } from '../../log/redact.ts';

const SECRET_HEADER = /auth|key|token|secret|password|cookie/i;

/** What must not be recorded where these providers are asked: the keys of the environment, and what headers carry. */
export function secretsOf(providers: Providers, environment: Environment): readonly Secret[] {
  const settings = Object.entries(providers);
  const variables = settings.flatMap(([, { apiKeyVariable }]) => apiKeyVariable ?? []);
  const headers = settings.flatMap(([provider, { headers = {} }]) =>
    Object.entries(headers).filter(([name]) => SECRET_HEADER.test(name)).map(([name, value]) => ({
      name: `${provider} ${name}`,
      // `Bearer` and its like are no secret, and what follows may stand elsewhere alone.
      value: value.trim().split(/\s+/).at(-1) ?? '',
    })),
  );
  return [...secretsIn(environment, variables), ...headers];
}
