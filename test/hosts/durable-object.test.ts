import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOOLS } from '../../docs/examples/durable-object/tools.ts';
import { scriptedModel } from '../../src/actors/model/model-script.ts';
import { defineTool } from '../../src/actors/tools/tool.ts';
import { lineOf, recorded, story } from '../../src/hosts/contract/run-story.ts';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../git/repository.ts';
import { startWorkerd, type Workerd, withoutWorkerd } from '../support/workerd.ts';

type Answers = NonNullable<Extract<Parameters<typeof scriptedModel>[0], { answers?: unknown }>['answers']>;

const LOOK_MS = 20;
const FOREVER_MS = 600_000;
const LIMIT_MS = 2_500;
const USAGE = { inputTokens: 10, outputTokens: 2 };
const Messages = z.object({ messages: z.array(z.object({ role: z.string() })) });
const Events = z.array(z.object({ type: z.string(), payload: z.unknown() }));

const day = (date: string) => ({ tool: 'weekday', arguments: { date } });
const ask = { tool: 'ask_user', arguments: { question: 'Which one?' } };
const post = { tool: 'post', arguments: { text: 'hello' } };

describe.skipIf(withoutWorkerd)(`a Durable Object${withoutWorkerd ? `, ${withoutWorkerd}` : ''}`, () => {
  const model = { answers: [] as Answers, waitMs: 0 };
  /** What arrives at the channel is answered after a while. */
  const channel = { posted: 0, waitMs: 0 };
  let workerd: Workerd;
  let runs = 0;

  const modelServer = createServer(async (request, response) => {
    const { messages } = Messages.parse(await json(request));
    const answer = model.answers?.[messages.filter(({ role }) => role === 'assistant').length];
    await delay(model.waitMs, null, { ref: false });
    response.end(JSON.stringify({ text: '', usage: USAGE, ...answer }));
  });
  const channelServer = createServer(async (_request, response) => {
    channel.posted += 1;
    await delay(channel.waitMs, null, { ref: false });
    response.end();
  });

  beforeAll(async () => {
    for (const server of [modelServer, channelServer]) await once(server.listen(0, '127.0.0.1'), 'listening');
    const portOf = (server: typeof modelServer) => (server.address() as AddressInfo).port;
    workerd = await startWorkerd({ model: portOf(modelServer), channel: portOf(channelServer) });
  });
  afterAll(async () => {
    await workerd.stop();
    for (const server of [modelServer, channelServer]) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** An object whose model answers by a script. */
  async function started(answers: Answers, more: object = {}) {
    Object.assign(model, { answers, waitMs: 0 });
    Object.assign(channel, { posted: 0, waitMs: 0 });
    const run = `/runs/run-${(runs += 1)}`;
    const events = async () => Events.parse(await workerd.ask(`${run}/events`));
    const count = async (type: string, times: number) => {
      while ((await events()).filter((event) => event.type === type).length < times) await delay(LOOK_MS);
    };
    const until = (type: string) => count(type, 1);
    const begin = () => workerd.ask(`${run}/start`, { prompt: 'Do it.', ...more });
    return { events, until, count, begin, tell: (what: string, said: object) => workerd.ask(`${run}/${what}`, said) };
  }

  /** The same script and tools on this machine, with the answer of a person. */
  async function storyHere(answers: Answers, answer: string): Promise<readonly string[]> {
    const log = memoryLog();
    const tools = Object.entries(TOOLS).map(([name, { run }]) =>
      defineTool({
        name,
        description: name,
        input: z.looseObject({}),
        run: async (given, { signal }) => ({ output: await run(given, {} as never, signal) }),
      }),
    );
    const loops = new Loops({ log, tools, model: scriptedModel({ answers }), holds: null, warn: () => {} });
    const asked = {
      prompt: 'Do it.',
      loop: 'turn',
      tools: ['weekday', 'ask_user'],
      directory: await temporaryFolder(),
    };
    const { run } = await loops.start(asked);
    await recorded(log, run, 'calls.admitted', 2);
    await loops.answer(run, { text: answer });
    const told = await story(log, run);
    expect(told.at(-1)).toBe('success');
    return told.slice(0, -1);
  }

  test('H6 given one script, when it runs there and here, then both decide alike, event by event', async () => {
    const answers = [{ calls: [day('2026-03-01'), day('2026-03-02')] }, { calls: [ask] }, { text: 'done' }];
    const { begin, until, tell, events, count } = await started(answers);
    await begin();
    await count('calls.admitted', 2);
    await tell('answer', { answer: 'the first' });
    await until('strategy.ended');
    const there = (await events()).flatMap(lineOf);
    expect(there).toContain('answered: the first');
    expect(there).toEqual(await storyHere(answers, 'the first'));
  });

  test('H6 given a call that may not be repeated, when workerd is killed in it, then it is told as lost', async () => {
    const { begin, until, events } = await started([{ calls: [post] }, { text: 'done' }]);
    channel.waitMs = FOREVER_MS;
    await begin();
    while (channel.posted === 0) await delay(LOOK_MS);
    await workerd.crash();
    // Any request wakes the object, and so does its alarm.
    await events();
    await until('strategy.ended');
    const types = (await events()).map(({ type }) => type);
    expect(channel.posted).toBe(1);
    expect(types.filter((type) => type === 'tool.interrupted')).toHaveLength(1);
    expect((await events()).flatMap(lineOf).at(-1)).toBe('stop: finished; nothing was asked to be checked');
  });

  test('H6 given a model that never answers, when workerd was killed, then an alarm ends the run', async () => {
    const { begin, until, events } = await started([{ text: 'never' }], { maxTimeMs: LIMIT_MS });
    model.waitMs = FOREVER_MS;
    await begin();
    await until('step.started');
    await workerd.crash();
    const atOnce = await events();
    expect(atOnce.map(({ type }) => type)).not.toContain('timer.fired');
    await until('strategy.ended');
    expect((await events()).flatMap(lineOf).at(-1)).toContain('time limit reached');
  });

  test('H6 given a run that waits for a person, when it is steered and aborted, then it ends', async () => {
    const { begin, until, events, tell } = await started([{ calls: [ask] }]);
    await begin();
    await until('calls.admitted');
    expect(await tell('steer', { text: 'Hurry.' })).toEqual({ refused: null });
    expect(await tell('abort', {})).toEqual({ refused: null });
    await until('strategy.ended');
    expect((await events()).flatMap(lineOf)).toEqual(expect.arrayContaining(['steered: Hurry.', 'abort: user']));
    expect(await tell('steer', { text: 'Still?' })).toEqual({ refused: 'ended' });
    expect(await begin()).toEqual({ refused: 'started' });
  });
});
