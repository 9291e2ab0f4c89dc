import type { Config } from './config.ts';

const HIDDEN = '[hidden]';

/** A configuration that can be shown: values of headers and passwords in addresses are left out. */
export function withoutSecrets(config: Config): Config {
  const { providers, log, ...rest } = config;
  const shown = Object.entries(providers ?? {}).map(([name, settings]) => {
    const { headers, baseUrl } = settings;
    return [name, {
      ...settings,
      ...(baseUrl === undefined ? {} : { baseUrl: addressWithoutSecrets(baseUrl) }),
      ...(headers === undefined ? {} : { headers: Object.fromEntries(Object.keys(headers).map((key) => [key, HIDDEN])) }),
    }] as const;
  });
  return {
    ...rest,
    ...(providers === undefined ? {} : { providers: Object.fromEntries(shown) }),
    ...(log === undefined ? {} : { log: addressWithoutSecrets(log) }),
  };
}

/** Who is named before an `@`, and what is asked after a `?`, may be a secret. */
const addressWithoutSecrets = (address: string): string =>
  address.replace(/\/\/[^/@\s]*@/, `//${HIDDEN}@`).replace(/\?.*$/s, `?${HIDDEN}`);
