import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { McpServerSpec } from '../../../src/agents/mcp/server-spec.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { factsOf, office } from '../../hosts/local/office.ts';
import { called, saidBy, started } from './started.ts';

const BAD = join(import.meta.dirname, 'bad-server.process.ts');
const bad = (does: string): McpServerSpec => ({
  name: 'bad',
  isOfWorkspace: false,
  at: { command: process.execPath, args: [BAD], env: { BAD: does } },
});
const startedBad = (does: string) => started([bad(does)]);

test('X10 a tool whose schema cannot be shown is left out with a warning, and the others are offered', async () => {
  const { tools, warnings } = await startedBad('schemas');
  expect(tools.map(({ name }) => name)).toEqual(['bad__good', 'bad__broken']);
  expect(warnings).toEqual(
    ['deep', 'large'].map((name) => `the tool ${name} of the server bad is left out: its schema cannot be shown`),
  );
});

test('X10 an answer that is nested too deeply is an error at once, with the name of the server', async () =>
  expect((await startedBad('abyss')).warnings).toEqual([
    expect.stringContaining('the server bad does not list its tools: '),
  ]));

test('X10 of two tools with one name the first is offered, and a warning says so', async () => {
  const { tools, warnings } = await startedBad('alike');
  expect(tools.map(({ description }) => description)).toEqual(['the first']);
  expect(warnings).toEqual(['two tools of MCP servers are named bad__get: the first is offered']);
});

test.each(['initialize', 'notifications/initialized', 'tools/list'])(
  'X10 a server that ends at %s is a warning, and the run begins without it',
  async (stage) => {
    const servers = await startedBad(`die-at-${stage}`);
    expect(servers.tools).toEqual([]);
    expect(servers.warnings).toHaveLength(1);
  },
);

test('X10 a server that ends in two calls fails both, and is started once between them', async () => {
  const servers = await startedBad('die-in-call');
  for (let calls = 0; calls < 2; calls += 1)
    expect(saidBy(await called(servers, 'bad__call'))).toContain('ended during this call: how far it got is unknown');
  expect(saidBy(await called(servers, 'bad__call'))).toContain('has ended again');
});

test('X10 the first of two answers counts, and answers to no call are passed over', async () => {
  const twice = await startedBad('twice');
  expect(saidBy(await called(twice, 'bad__call'))).toBe('first');
  expect(saidBy(await called(twice, 'bad__call'))).toBe('first');
  expect(saidBy(await called(await startedBad('noise'), 'bad__call'))).toBe('heard');
});

test('X10 an answer after the call was cancelled changes nothing', async () => {
  const servers = await startedBad('after-cancel');
  for (let calls = 0; calls < 2; calls += 1) {
    const stop = new AbortController();
    const waiting = called(servers, 'bad__call', {}, stop.signal);
    setTimeout(() => stop.abort('abort'), 50);
    expect(await waiting).toMatchObject({ type: 'tool.interrupted' });
  }
});

test('X10 a result that breaks the protocol, or its own schema, is a failed call', async () => {
  expect(await called(await startedBad('shapeless'), 'bad__call')).toMatchObject({ type: 'tool.failed' });
  const untrue = await called(await startedBad('untrue'), 'bad__count');
  expect(untrue).toMatchObject({ type: 'tool.failed' });
  expect(saidBy(untrue)).toContain('count');
});

test('X10 a server that changes its tools in a run keeps those that were offered, and a gone one fails', async () => {
  const servers = await startedBad('changing');
  expect(saidBy(await called(servers, 'bad__before'))).toContain('Unknown tool: before');
  expect(servers.tools.map(({ name }) => name)).toEqual(['bad__before']);
  expect(saidBy(await called(servers, 'bad__after'))).toContain('there is no tool "bad__after"');
});

testInTurn('X10 a result of 100 MB ends its server before it is kept, and the call fails', async () => {
  const servers = await startedBad('flood');
  const before = process.memoryUsage().rss;
  expect(saidBy(await called(servers, 'bad__call'))).toContain('ended during this call');
  expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
});

testInTurn('X10 of 100 calls in one answer each result is recorded by itself, and none waits for another', async () => {
  const { tools } = await startedBad('slow');
  const calls = Array.from({ length: 100 }, (_, at) => ({ tool: 'bad__call', arguments: { at } }));
  const { start, log } = office({ answers: [{ calls }, { text: 'done' }] }, { tools });
  const live = await start({ maxParallel: 100, maxToolCalls: 101 });
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  const results = await factsOf(log, live.run, 'tool.completed');
  expect(results.map(({ payload }) => payload.output)).toEqual(calls.map(() => 'slow'));
  expect(new Set(results.map(({ payload }) => payload.callId)).size).toBe(100);
});
