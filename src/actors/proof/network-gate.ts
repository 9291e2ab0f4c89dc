import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Listener } from './listeners-within.ts';
import { connectTo, type Place, requestTo } from './upstream-proxy.ts';

/** Connections through one gate at a time, and the time without a byte after which one ends. */
const MAX_CONNECTIONS = 256;
const IDLE_MS = 5 * 60_000;
/** The hosts that are remembered as refused, between two commands. */
const MAX_REFUSED = 20;

/** The way out of walls: a proxy for the hosts that a person has named, and ports of this machine. */
export interface NetworkGate {
  /** Returns the places that were refused since the last time, such as `example.org:443`. */
  readonly refused: () => readonly string[];
  readonly close: () => void;
}

/**
 * Opens a gate. A listener that was asked for any port is the proxy, every other one leads to the same port of this
 * machine. `isReached` says which places the proxy leads to.
 */
export function openGate(listeners: readonly Listener[], isReached: (place: Place) => boolean): NetworkGate {
  const refused = new Set<string>();
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    if (sockets.size >= MAX_CONNECTIONS) return void socket.destroy();
    sockets.add(socket);
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
  };
  const admits = (place: Place): boolean => {
    if (isReached(place)) return true;
    if (refused.size < MAX_REFUSED) refused.add(`${place.host}:${place.port}`);
    return false;
  };
  const proxy = createServer((asked, answer) => forward(asked, answer, admits));
  proxy.on('connect', (asked: IncomingMessage, near: Duplex) => tunnel(asked, near, { admits, keep }));
  for (const { asked, port, server } of listeners) {
    server.on('connection', (near: Socket) => {
      keep(near);
      if (asked === 0) proxy.emit('connection', near);
      else join(near, connect({ host: '127.0.0.1', port }), keep);
    });
    server.unref();
  }
  return {
    refused: () => {
      const all = [...refused];
      refused.clear();
      return all;
    },
    close: () => {
      for (const { server } of listeners) closeQuietly(server);
      for (const socket of sockets) socket.destroy();
    },
  };
}

const closeQuietly = (server: Server): void => void (server.listening && server.close());

const REFUSAL = 'This place is not reached from behind the walls of this run.';

/** An encrypted connection: its content is not seen. */
function tunnel(
  { url = '' }: IncomingMessage,
  near: Duplex,
  { admits, keep }: { readonly admits: (place: Place) => boolean; readonly keep: (socket: Socket) => void },
): void {
  const place = placeOf(`http://${url}`);
  near.on('error', () => near.destroy());
  if (place === null || !admits(place)) {
    near.end(
      `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: ${REFUSAL.length}\r\n\r\n${REFUSAL}`,
    );
    return;
  }
  void connectTo(place).then((far) => {
    if (far === null) return void near.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
    // It may have left while the connection was made.
    if (near.destroyed) return void far.destroy();
    near.write('HTTP/1.1 200 Connection established\r\n\r\n');
    join(near, far, keep);
  });
}

/** Joins a connection from within with one to a place. */
function join(near: Duplex, far: Socket, keep: (socket: Socket) => void): void {
  keep(far);
  near.pipe(far).pipe(near);
  far.once('close', () => near.destroy());
  near.once('close', () => far.destroy());
}

/** A request in clear text, passed on under the name of the host that was admitted. */
function forward(asked: IncomingMessage, answer: ServerResponse, admits: (place: Place) => boolean): void {
  const { url = '', method, headers } = asked;
  const place = placeOf(url);
  if (place === null || !admits(place)) {
    answer.writeHead(403, { 'content-type': 'text/plain' }).end(REFUSAL);
    return;
  }
  const address = new URL(url);
  const { pathname, search, host } = address;
  const { 'proxy-connection': _, 'proxy-authorization': __, ...kept } = headers;
  const passed = requestTo(address, { method, path: `${pathname}${search}`, headers: { ...kept, host } });
  passed.once('response', (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
  answer.once('close', () => passed.destroy());
  asked.pipe(passed);
}

function placeOf(address: string): Place | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== 'http:' || hostname === '') return null;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}
