import type { Config } from './config.ts';

const HIDDEN = '[hidden]';

/** A configuration without secrets: values of headers and passwords in addresses are left out. */
export function withoutSecrets(config: Config): Config {
  const { providers, mcpServers, log, ...rest } = config;
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
    ...(mcpServers === undefined ? {} : { mcpServers: withoutValues(mcpServers) }),
    ...(log === undefined ? {} : { log: addressWithoutSecrets(log) }),
  };
}

/** Keys of servers stand in their variables, headers and addresses. */
const withoutValues = (servers: NonNullable<Config['mcpServers']>): NonNullable<Config['mcpServers']> =>
  Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      'url' in server
        ? { ...server, url: addressWithoutSecrets(server.url), ...hiddenIn('headers', server.headers) }
        : { ...server, ...hiddenIn('env', server.env) },
    ]),
  );

const hiddenIn = <Key extends string>(key: Key, texts: Readonly<Record<string, string>> | undefined) =>
  texts === undefined ? {} : { [key]: Object.fromEntries(Object.keys(texts).map((name) => [name, HIDDEN])) };

/** The user part before an `@` and the query after a `?` may be secrets. */
const addressWithoutSecrets = (address: string): string =>
  address.replace(/\/\/[^/@\s]*@/, `//${HIDDEN}@`).replace(/\?.*$/s, `?${HIDDEN}`);
