import { request as requestClear, type RequestOptions } from 'node:http';
import { request as requestEncrypted } from 'node:https';
import { connect, type Socket } from 'node:net';
import { getProxyForUrl } from 'proxy-from-env';

/** A port of a machine. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** The time that a proxy of the person has to answer. */
const MAX_ANSWER_MS = 30_000;

/** Returns the proxy that the environment of the person names for an address (`HTTPS_PROXY`, `NO_PROXY`), or null. */
function proxyFor(address: string): URL | null {
  const named = getProxyForUrl(address);
  return URL.canParse(named) ? new URL(named) : null;
}

const addressOf = (scheme: string, { host, port }: Place): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;

const requestOf = ({ protocol }: URL) => (protocol === 'https:' ? requestEncrypted : requestClear);

const serverOf = ({ hostname: host, port, protocol }: URL): RequestOptions => ({
  host,
  port: port || (protocol === 'https:' ? 443 : 80),
});

/** The header by which a proxy knows the person. */
function authorisation({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  const user = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return { 'proxy-authorization': `Basic ${user}` };
}

/** Opens a connection to a place, through the proxy of the person where there is one. Null: it does not stand. */
export function connectTo(place: Place): Promise<Socket | null> {
  const proxy = proxyFor(addressOf('https', place));
  return new Promise((resolve) => {
    if (proxy === null) {
      const far = connect({ ...place, autoSelectFamily: true });
      far.once('connect', () => resolve(far)).once('error', () => resolve(null));
      return;
    }
    const path = addressOf('', place).slice('://'.length);
    const headers = { host: path, ...authorisation(proxy) };
    const asked = requestOf(proxy)({ ...serverOf(proxy), method: 'CONNECT', path, headers });
    asked.setTimeout(MAX_ANSWER_MS, () => asked.destroy());
    asked
      .once('connect', ({ statusCode }, far: Socket, begun: Buffer) => {
        far.setTimeout(0);
        if (begun.length > 0) far.unshift(begun);
        resolve(statusCode === 200 ? far : (far.destroy(), null));
      })
      .once('response', (answer) => {
        answer.resume();
        resolve(null);
      })
      .once('error', () => resolve(null))
      .end();
  });
}

/** A request in clear text to an address, through the proxy of the person where there is one. */
export function requestTo(address: URL, options: RequestOptions): ReturnType<typeof requestClear> {
  const proxy = proxyFor(address.href);
  if (proxy === null)
    return requestClear({ ...options, host: address.hostname.replace(/^\[|\]$/g, ''), port: address.port || 80 });
  const headers = { ...Object(options.headers), ...authorisation(proxy) };
  return requestOf(proxy)({ ...options, ...serverOf(proxy), headers, path: address.href });
}
