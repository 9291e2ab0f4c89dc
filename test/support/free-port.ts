import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of the loopback that was free a moment ago: for programs that cannot be told to take any. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
