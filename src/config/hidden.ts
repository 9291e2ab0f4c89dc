import type { Config } from './config.ts';

const HIDDEN = '[hidden]';

/** A configuration without secrets: values of headers and passwords in addresses are left out. */
export function withoutSecrets(config: Config): Config {
  const { providers, log, ...rest } = config;
  const shown = Object.entries(providers ?? {}).map(([name, settings]) => {
    const { headers, baseUrl } = settings;
    return [
      name,
      {
        ...settings,
        ...(baseUrl === undefined ? {} : { baseUrl: addressWithoutSecrets(baseUrl) }),
        ...(headers === undefined
          ? {}
          : { headers: Object.fromEntries(Object.keys(headers).map((key) => [key, HIDDEN])) }),
      },
    ] as const;
  });
  return {
    ...rest,
    ...(providers === undefined ? {} : { providers: Object.fromEntries(shown) }),
    ...(log === undefined ? {} : { log: addressWithoutSecrets(log) }),
  };
}

/** The user part before an `@` and the query after a `?` may be secrets. */
const addressWithoutSecrets = (address: string): string =>
  address.replace(/\/\/[^/@\s]*@/, `//${HIDDEN}@`).replace(/\?.*$/s, `?${HIDDEN}`);
