import type { Environment } from '../../actors/model/endpoint.ts';
import type { Providers } from '../../actors/model/providers.ts';
import { type Secret, secretsIn } from '../../log/redact.ts';

const SECRET_HEADER = /auth|key|token|secret|password|cookie/i;

/**
 * The secrets of these providers, never to be recorded: the values of their headers, and the keys in their environment.
 * Those of this process's environment too, because commands may print them.
 */
export function secretsOf(providers: Providers = {}, environment: Environment = process.env): readonly Secret[] {
  const settings = Object.entries(providers);
  const variables = settings.flatMap(([, { apiKeyVariable }]) => apiKeyVariable ?? []);
  const headers = settings.flatMap(([provider, { headers = {} }]) =>
    Object.entries(headers)
      .filter(([name]) => SECRET_HEADER.test(name))
      .map(([name, value]) => ({
        name: `${provider} ${name}`,
        // `Bearer` and similar prefixes are no secret, and the rest may occur elsewhere without them.
        value: value.trim().split(/\s+/).at(-1) ?? '',
      })),
  );
  const environments = new Set([environment, process.env]);
  return [...[...environments].flatMap((one) => secretsIn(one, variables)), ...headers];
}
