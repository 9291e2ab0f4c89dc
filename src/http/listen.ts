import { createAdaptorServer, type ServerType } from '@hono/node-server';

/** How many ports are tried, from the one that is asked for on. */
const MOST_PORTS = 20;

export interface Listening {
  readonly port: number;
  /** Ends every connection: streams of events would stay open. */
  readonly close: () => Promise<void>;
}

type Fetch = (request: Request) => Response | Promise<Response>;

/**
 * Listens on the first free port from `port` on; 0 is any. `serve` makes what answers, once the port is known. Throws
 * what the system says where an address cannot be used.
 */
export async function listen(host: string, port: number, serve: (port: number) => Fetch): Promise<Listening> {
  for (let tried = 0; ; tried += 1) {
    const server = createAdaptorServer({ fetch: (request) => answer(request) });
    let answer: Fetch = () => new Response(null, { status: 503 });
    const bound = await bind(server, host, port === 0 ? 0 : port + tried).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' && port !== 0 && tried + 1 < MOST_PORTS) return null;
      throw error;
    });
    if (bound === null) continue;
    answer = serve(bound);
    return { port: bound, close: () => closed(server) };
  }
}

function bind(server: ServerType, host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject);
    const address = server.address();
    resolve(typeof address === 'object' && address !== null ? address.port : port);
  });
  return promise;
}

function closed(server: ServerType): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  if ('closeAllConnections' in server) server.closeAllConnections();
  return promise;
}
