import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv } from './api-app.ts';
import type { ApiHost, Person } from './api-host.ts';
import { gate, secured } from './gate.ts';
import { httpApi } from './http-api.ts';
import { Keys, type KeysOptions } from './keys.ts';
import { listen, type Listening } from './listen.ts';
import { addStudio } from './studio-files.ts';

export interface ServeOptions extends Omit<KeysOptions, 'port'> {
  /** The address to listen on. */
  readonly host: string;
  /** The first port that is tried; 0 is any. */
  readonly port: number;
  /** Names beside the address that requests may use, without a port. */
  readonly names?: readonly string[];
  /** The files of the page. Null: the API alone. */
  readonly page: ReadonlyMap<string, Buffer> | null;
  /** Takes requests that are signed, and need no key of this server. Null: the request is another one. */
  readonly hooks?: ((request: Request) => Promise<Response> | null) | undefined;
}

export interface Served extends Listening {
  /** An address that lets one browser in. */
  readonly address: () => string;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether only this machine reaches an address. */
export const isLoopback = (host: string): boolean => ['127.0.0.1', 'localhost', '::1'].includes(host);

/** Serves the API, and the page, behind a gate of its own. */
export async function serveApi(host: ApiHost, options: ServeOptions): Promise<Served> {
  let keys: Keys | null = null;
  const listening = await listen(options.host, options.port, (port) => {
    keys = new Keys({ ...options, port });
    const app = appBehind(host, options, keys, hostsOf(options, port));
    const { hooks } = options;
    return (request) => hooks?.(request) ?? app.fetch(request);
  });
  const { port } = listening;
  const name = isLoopback(options.host) ? '127.0.0.1' : (options.names?.[0] ?? bracketed(options.host));
  return { ...listening, address: () => `http://${name}:${port}/?token=${keys?.once() ?? ''}` };
}

function appBehind(host: ApiHost, { page }: ServeOptions, keys: Keys, hosts: ReadonlySet<string>): OpenAPIHono<ApiEnv> {
  const app = httpApi(host, (behind) => {
    behind.use('*', secured);
    behind.use('*', gate({ keys, hosts, isReadOnly: host.isReadOnly }));
  });
  if (page) addStudio(app, page);
  else app.get('/', (c) => c.json({ api: '/api', description: '/api/openapi.json' }));
  app.get('/api', (c) => c.json(aboutServer(host, c.var.person)));
  return app;
}

/** What a page has to know of the server, and of who opens it. */
const aboutServer = ({ isReadOnly, kept }: ApiHost, { name, isKnown }: Person) => ({
  readOnly: isReadOnly,
  starts: kept !== null,
  person: isKnown ? name : null,
});

/** The hosts that requests may name. */
export function hostsOf({ host, names = [] }: Pick<ServeOptions, 'host' | 'names'>, port: number): ReadonlySet<string> {
  const known = isLoopback(host) ? LOOPBACK : [...LOOPBACK, bracketed(host), ...names];
  return new Set(known.map((one) => `${one.toLowerCase()}:${port}`));
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
