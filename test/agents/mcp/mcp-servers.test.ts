import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { handedServers } from '../../../src/agents/acp/servers-for-agent.ts';
import { toolName } from '../../../src/agents/mcp/mcp-servers.ts';
import { toolSpecs } from '../../../src/actors/tools/tool-table.ts';
import { called, fake, saidBy, started } from './started.ts';

test('X10 the tools of a server are named after it, and a call says what the server says', async () => {
  const servers = await started([fake('fake', { GREETING: 'hi' })]);
  expect(servers.warnings).toEqual([]);
  expect(servers.tools.map(({ name }) => name)).toEqual(
    ['echo', 'fail', 'die', 'flood', 'wait', 'picture', 'close'].map((name) => `fake__${name}`),
  );
  const [echo] = toolSpecs(servers.tools);
  expect(echo).toMatchObject({
    description: 'Says what it is told.',
    inputSchema: { type: 'object', required: ['say'], properties: { say: { type: 'string' } } },
  });
  expect(saidBy(await called(servers, 'fake__echo', { say: 'hello' }))).toBe('hello hi no key');
  expect(await called(servers, 'fake__fail')).toMatchObject({
    type: 'tool.failed',
    payload: { fault: { message: 'it did not work' } },
  });
  expect(saidBy(await called(servers, 'fake__echo', { say: 7 }))).toMatch(/invalid/i);
  expect(saidBy(await called(servers, 'fake__flood')).length).toBeLessThanOrEqual(30_000);
});

test('X10 what a server says of its effects makes no call repeatable', async () => {
  const { tools } = await started([fake()]);
  expect(tools.map(({ effectClass }) => effectClass)).toEqual(tools.map(() => undefined));
});

test('X10 a server that has ended is started once more for the next call, and then said to be gone', async () => {
  const servers = await started([fake()]);
  expect(saidBy(await called(servers, 'fake__die'))).toContain('ended during this call: how far it got is unknown');
  expect(saidBy(await called(servers, 'fake__echo', { say: 'again' }))).toContain('again');
  await called(servers, 'fake__die');
  expect(saidBy(await called(servers, 'fake__echo', { say: 'third' }))).toContain('has ended again');
});

test('X10 a call that is stopped ends at once, and its server serves the next', async () => {
  const servers = await started([fake()]);
  const stop = new AbortController();
  const waiting = called(servers, 'fake__wait', {}, stop.signal);
  stop.abort('abort');
  expect(await waiting).toMatchObject({ type: 'tool.interrupted' });
  expect(saidBy(await called(servers, 'fake__echo', { say: 'next' }))).toContain('next');
});

test('X10 a server that does not start is a warning with its words, and the others are there', async () => {
  const gone = { name: 'gone', isOfWorkspace: false, at: { command: 'no-such-server', args: [], env: {} } };
  const servers = await started([gone, fake(), fake('other')]);
  expect(servers.warnings).toEqual([expect.stringMatching(/the server gone does not start: .*not found/s)]);
  expect(servers.tools).toHaveLength(14);
});

test('X10 more than 40 tools are found by words, and called by their names', async () => {
  const servers = await started([fake('fake', { MANY: '60' })]);
  expect(servers.tools.map(({ name }) => name)).toEqual(['find_tool', 'call_tool']);
  const found = JSON.parse(saidBy(await called(servers, 'find_tool', { words: 'number 42' })));
  expect(found[0]).toMatchObject({ name: 'fake__extra_42', description: 'Gives the number 42.' });
  const call = { tool: 'fake__extra_42', arguments: {} };
  expect(saidBy(await called(servers, 'call_tool', call))).toBe('number 42');
  expect(saidBy(await called(servers, 'call_tool', { tool: 'nothing' }))).toContain('there is no tool nothing');
});

test('X10 a server at an address is spoken to over HTTP, with the headers that are named', async () => {
  const seen: (string | undefined)[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'far', version: '1' });
    server.registerTool('greet', { inputSchema: z.object({}) }, () => ({ content: [{ type: 'text', text: 'hello' }] }));
    return server;
  });
  const http = createServer(async (request, response) => {
    seen.push(request.headers.authorization);
    const body = Buffer.concat(await request.toArray());
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const asked = new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(body.length > 0 ? { body } : {}),
    });
    const answer = await handler.fetch(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) Readable.fromWeb(answer.body as never).pipe(response);
    else response.end();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => void http.closeAllConnections());
  onTestFinished(() => void http.close());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const far = { name: 'far', isOfWorkspace: true, at: { url, headers: { authorization: 'Bearer x' } } };
  const servers = await started([far]);
  expect(saidBy(await called(servers, 'far__greet'))).toBe('hello');
  expect(new Set(seen)).toEqual(new Set(['Bearer x']));
});

test('X10 names of tools fit every provider, and stay apart', () => {
  const long = 'a'.repeat(80);
  expect(toolName('files', 'read.file')).toBe('files__read_file');
  expect(toolName('files', long)).toHaveLength(64);
  expect(toolName('files', long)).not.toBe(toolName('files', `${long}b`));
  expect(toolName('files', 'lire un fichier')).toMatch(/^files__lire_un_fichier_[0-9a-f]{8}$/);
});

test('X10 an agent of others is handed the servers, those at an address only if it says that it speaks so', () => {
  const far = { name: 'far', isOfWorkspace: false, at: { url: 'https://example.org', headers: { a: 'b' } } };
  const near = { name: 'near', isOfWorkspace: false, at: { command: 'near', args: ['x'], env: { k: 'v' } } };
  const first = { name: 'near', command: 'near', args: ['x'], env: [{ name: 'k', value: 'v' }] };
  expect(handedServers([far, near], {})).toEqual([first]);
  const hello = { agentCapabilities: { mcpCapabilities: { http: true } } };
  const second = { type: 'http', name: 'far', url: 'https://example.org', headers: [{ name: 'a', value: 'b' }] };
  expect(handedServers([far, near], hello)).toEqual([second, first]);
});

test('X10 resources and prompts of servers are listed and read by tools, where there are any', async () => {
  const servers = await started([fake('fake', { BESIDE: 'yes' }), fake('bare')]);
  const names = servers.tools.map(({ name }) => name);
  expect(names.filter((name) => !name.includes('__'))).toEqual(['read_resource', 'read_prompt']);
  const of = async (tool: string, given: object) => saidBy(await called(servers, tool, { server: 'fake', ...given }));
  expect(await of('read_resource', {})).toBe('notes://today: today: What is to do.');
  expect(await of('read_resource', { uri: 'notes://today' })).toBe('Buy milk.');
  expect(await of('read_prompt', {})).toBe('review(file): A review.');
  expect(await of('read_prompt', { name: 'review', arguments: { file: 'a.ts' } })).toBe('Review a.ts.');
  expect(await of('read_resource', { uri: 'notes://gone' })).toMatch(/not found/i);
  expect(await of('read_resource', { server: 'bare' })).toContain('those that do are fake');
  expect((await started([fake()])).tools.map(({ name }) => name)).not.toContain('read_resource');
});
