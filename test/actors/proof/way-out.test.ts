import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import type { Duplex } from 'node:stream';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { standWalls } from '../../../src/actors/proof/agent-walls.ts';
import { HAS_WALLS } from '../../hosts/local/proof/proof-project.ts';

/** A server on this machine, and walls with a way out that may lead there. */
async function walled(reach: (port: number) => string) {
  const server = createServer((asked, answer) => answer.end(`served ${asked.headers.host}`)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const root = await realpath(await mkdtemp(join(tmpdir(), 'way-out-')));
  const walls = await standWalls({
    home: '',
    homeFiles: {},
    node: dirname(process.execPath),
    network: reach(port),
    limits: undefined,
    environment: {},
    toolHomes: [],
    writable: [root],
    kept: [],
  });
  if ('missing' in walls) throw new Error(walls.missing);
  onTestFinished(async () => {
    await walls.end();
    server.close();
    await rm(root, { recursive: true });
  });
  const signal = new AbortController().signal;
  const run = async (command: string) => {
    const limits = { timeoutMs: 20_000, maxOutputBytes: 20_000, signal };
    const result = await walls.run({ run: 'a-run', command, directory: root, ...limits });
    return result.kind === 'exited' ? result.output : result.kind;
  };
  return { port, run, refused: walls.refused };
}

/** Prints the status and text of an answer, through the proxy where there is one. */
const asks = (address: string): string => `node -e '
  const proxy = process.env.HTTP_PROXY ? new URL(process.env.HTTP_PROXY) : null;
  const to = new URL("${address}");
  const through = { host: proxy?.hostname, port: proxy?.port, path: to.href, headers: { host: to.host } };
  require("node:http").get(proxy ? through : to, (got) => {
    process.stdout.write(got.statusCode + " ");
    got.pipe(process.stdout);
  }).on("error", (error) => console.log(error.code));'`;
const direct = (command: string): string => `unset HTTP_PROXY; ${command}`;

describe.skipIf(!HAS_WALLS)('given walls around commands, and a server of the person', () => {
  test('B1 a port of this machine is reached where it is named, and no other one', async () => {
    const { port, run } = await walled((one) => `loopback:${one}`);
    expect(await run(direct(asks(`http://127.0.0.1:${port}/`)))).toBe(`200 served 127.0.0.1:${port}`);
    expect(await run(direct(asks(`http://127.0.0.1:${port - 1}/`)))).toBe('ECONNREFUSED\n');
  });

  test('B1 a host that is named is reached through the way out, under its own name', async () => {
    const { port, run, refused } = await walled((one) => `localhost:${one}`);
    expect(await run(asks(`http://localhost:${port}/`))).toBe(`200 served localhost:${port}`);
    expect(refused()).toEqual([]);
  });

  test('B1 another host is refused, and told apart from one that does not answer', async () => {
    const { port, run, refused } = await walled(() => 'packages.example.org');
    expect(await run(asks(`http://localhost:${port}/`))).toMatch(/^403 /);
    expect(refused()).toEqual([`localhost:${port}`]);
    expect(refused()).toEqual([]);
  });

  test('B1 the proxy of the person leads on, with its user, where the environment names one', async () => {
    const { port, run } = await walled((one) => `packages.example.org:${one},packages.example.org:443`);
    const proxied: string[] = [];
    const proxy = createServer((asked, answer) => {
      proxied.push(`${asked.method} ${asked.url} ${asked.headers['proxy-authorization']}`);
      answer.end('of the proxy');
    });
    proxy.on('connect', (asked: IncomingMessage, near: Duplex) => {
      proxied.push(`CONNECT ${asked.url}`);
      near.end('HTTP/1.1 200 OK\r\n\r\nthrough');
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void proxy.close());
    const address = `http://me:word@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    vi.stubEnv('http_proxy', address);
    vi.stubEnv('https_proxy', address);
    expect(await run(asks(`http://packages.example.org:${port}/x`))).toBe('200 of the proxy');
    const path = 'packages.example.org:443';
    const connects = `require('node:http').request({ ...proxy, method: 'CONNECT', path: '${path}' })`;
    const takes = '(got, far, begun) => { process.stdout.write(begun); far.pipe(process.stdout); }';
    const tunnel = `node -e "const { hostname: host, port } = new URL(process.env.HTTPS_PROXY);
      const proxy = { host, port }; ${connects}.on('connect', ${takes}).end()"`;
    expect(await run(tunnel)).toBe('through');
    const user = `Basic ${Buffer.from('me:word').toString('base64')}`;
    expect(proxied).toEqual([`GET http://packages.example.org:${port}/x ${user}`, 'CONNECT packages.example.org:443']);
  });

  test('B1 without a network there is no way out', async () => {
    const { port, run } = await walled(() => 'none');
    expect(await run(direct(asks(`http://127.0.0.1:${port}/`)))).toBe('ECONNREFUSED\n');
    expect(await run('env')).not.toContain('PROXY');
  });
});
