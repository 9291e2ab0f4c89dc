import { existsSync } from 'node:fs';
import { delimiter, isAbsolute } from 'node:path';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Environment } from '../../actors/model/endpoint.ts';
import type { Providers } from '../../actors/model/providers.ts';
import type { Redact, RedactFor } from '../../kernel/react.ts';
import { redactor } from '../../log/redact.ts';
import { type Secret, secretsIn } from '../../log/secret-variables.ts';

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

/** What is redacted in a run: these secrets, and what its commands are passed by name from this process. */
export function redactorFor(secrets: readonly Secret[]): RedactFor {
  const redactors = new Map<string, Redact>();
  return ({ environment: passed = [] }: Pick<RunSettings, 'environment'>) => {
    const key = passed.join(',');
    const found = redactors.get(key) ?? redactor([...secrets, ...passedSecrets(passed)]);
    redactors.set(key, found);
    return found;
  };
}

function passedSecrets(names: readonly string[]): readonly Secret[] {
  const passed = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  return secretsIn(passed, names).filter(({ value }) => !isPlace(value));
}

/** Paths that are there, as `SDK_ROOT` has one: the workspace may lie there, and a run has to name its files. */
const isPlace = (value: string): boolean =>
  value.split(delimiter).every((path) => isAbsolute(path) && existsSync(path));
