import type { Wire } from './wire.ts';

/** The provider of an agent, behind a meter. */
export interface ProviderDoor {
  readonly wire: Wire;
  /** As prices name it: `anthropic` in `anthropic/claude-sonnet-4-5`. */
  readonly name: string;
  /** The address of its API, as a client of it is given one. */
  readonly address: string;
  /** The real key, as the header that carries it. It stays on this side. */
  readonly key: { readonly header: string; readonly value: string };
}

/** Headers and parameters in which clients send a key. What an agent has there is a stand-in, and goes no further. */
const KEY_HEADERS: readonly string[] = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie'];
const KEY_PARAMETER = 'key';
/** Headers between two neighbours, and those that are made anew. */
const OF_ONE_STEP: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
  'accept-encoding',
];

/** The address at the provider for a path at the meter. Null: it is no path of that provider. */
export function addressAt({ address }: ProviderDoor, path: string): URL | null {
  const base = address.replace(/\/+$/, '');
  if (!path.startsWith('/') || !URL.canParse(`${base}${path}`)) return null;
  const asked = new URL(`${base}${path}`);
  // A path that climbs would reach other services of that host, with the key.
  if (!asked.href.startsWith(`${new URL(base).href.replace(/\/+$/, '')}/`)) return null;
  asked.searchParams.delete(KEY_PARAMETER);
  return asked;
}

/** The headers of a request as the provider gets them: with the real key, and none of the agent's. */
export function headersFor(
  { key }: ProviderDoor,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || KEY_HEADERS.includes(name) || OF_ONE_STEP.includes(name)
      ? []
      : [[name, typeof value === 'string' ? value : value.join(', ')] as const],
  );
  return { ...Object.fromEntries(kept), 'accept-encoding': 'identity', [key.header]: key.value };
}
