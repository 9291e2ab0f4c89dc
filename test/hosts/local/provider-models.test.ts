import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LoopEvent, Usage } from '../../../machines/events.ts';
import { OBSTACLE_EXIT } from '../../../src/cli/terminal/exit-status.ts';
import type { Providers } from '../../../src/actors/model/providers.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { obstacleOf } from '../../../src/app/running/obstacle.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { type ModelServer, modelServer } from '../../support/model-server/server.ts';
import type { ServerScript } from '../../support/model-server/script.ts';

const prices = { 'gpt-5': { inputPerMillion: 2, outputPerMillion: 10, cachedInputPerMillion: 0.5 } };

async function serving(script: ServerScript): Promise<ModelServer> {
  const server = await modelServer(script);
  onTestFinished(server.close);
  return server;
}

async function runOf(
  server: ModelServer,
  model: string,
  options: { fallbackModel?: string; providers?: Providers } = {},
) {
  const { fallbackModel, providers = {} } = options;
  const environment = {
    OPENAI_API_KEY: 'sk-test-0123456789',
    OPENAI_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'sk-test-0123456789',
    ANTHROPIC_BASE_URL: server.url,
  };
  const loops = new Loops({ log: memoryLog(), environment, providers });
  const directory = await temporaryFolder();
  const run = await loops.start({
    prompt: 'Look.',
    model,
    directory,
    ...(fallbackModel === undefined ? {} : { fallbackModel }),
  });
  const end = await run.done;
  const events = (await lastValueFrom(loops.events(run.run).pipe(toArray()))) as unknown as LoopEvent[];
  return { end, events };
}

const usagesIn = (events: readonly LoopEvent[]): readonly Usage[] =>
  events.flatMap(({ payload }) => ('usage' in payload && payload.usage ? [payload.usage] : []));

describe('a run on a provider that has a bad day', () => {
  testInTurn.each(['openai/gpt-5', 'openai-chat/gpt-5', 'anthropic/gpt-5'])(
    '%s: a limit, a failure and a dying socket on the way; usage and cost are what the server counted',
    async (model) => {
      const usage = { inputTokens: 1_000, outputTokens: 50, cachedInputTokens: 400 };
      const server = await serving({
        answers: [
          { text: 'I look.', calls: [{ tool: 'list', arguments: {} }], usage },
          { text: 'All is well.', usage },
        ],
        faults: [
          { request: 0, status: 429, headers: { 'retry-after-ms': '20' } },
          { request: 1, status: 500, headers: { 'retry-after-ms': '1' } },
          { request: 3, dieAfter: 2 },
        ],
      });
      const provider = model.slice(0, model.indexOf('/'));
      const { end, events } = await runOf(server, model, { providers: { [provider]: { prices } } });
      expect(end).toMatchObject({ kind: 'ended', answer: 'All is well.', outcome: { ending: 'success' } });
      const told = events.map(({ type }) => type).filter((type) => type.startsWith('model.'));
      expect(told).toEqual(['model.limited', 'model.retried', 'model.completed', 'model.retried', 'model.completed']);
      const counted = usagesIn(events).filter(({ estimated }) => !estimated);
      const sum = (count: (usage: Usage) => number) => counted.reduce((total, usage) => total + count(usage), 0);
      const [spent] = Object.values(server.spent());
      expect(spent).toEqual({
        requests: 5,
        inputTokens: sum(({ inputTokens }) => inputTokens),
        outputTokens: sum(({ outputTokens }) => outputTokens),
      });
      const dearest = 2 * (600 * 2_000 + 400 * 500 + 50 * 10_000);
      const dying = server.requests[3]?.reported ? 600 * 2_000 + 400 * 500 + 10_000 : 0;
      expect(sum(({ cost }) => cost?.nanoUsd ?? 0)).toBe(dearest + dying);
    },
  );

  test('another model takes over, and answers the steps after too', async () => {
    const server = await serving({
      answers: [{ text: 'I look.', calls: [{ tool: 'list', arguments: {} }] }, { text: 'Done.' }],
      faults: [{ request: 0, status: 401 }],
    });
    const { end, events } = await runOf(server, 'openai/gpt-5', { fallbackModel: 'anthropic/claude-sonnet-4-5' });
    expect(end).toMatchObject({ outcome: { ending: 'success' } });
    expect(events.find(({ type }) => type === 'model.replaced')?.payload).toMatchObject({
      from: 'openai/gpt-5',
      to: 'anthropic/claude-sonnet-4-5',
      fault: { code: 'authentication' },
    });
    expect(server.requests.map(({ wire }) => wire)).toEqual(['responses', 'anthropic', 'anthropic']);
  });

  test('a refused key ends the run in words that name it', async () => {
    const server = await serving({ answers: [{ text: 'Never.' }], faults: [{ request: 0, status: 401 }] });
    const { end } = await runOf(server, 'openai/gpt-5');
    expect(end).toMatchObject({ outcome: { ending: 'abort', cause: 'error', fault: { code: 'authentication' } } });
    expect(server.requests).toHaveLength(1);
  });

  test('arguments that no tool takes are told to the model, which goes on', async () => {
    const server = await serving({
      answers: [{ calls: [{ tool: 'read', rawArguments: '{"path": 7' }] }, { text: 'I see.' }],
    });
    const { end } = await runOf(server, 'openai-chat/gpt-5');
    expect(end).toMatchObject({ outcome: { ending: 'success' } });
    expect(server.requests[1]?.body).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool', content: expect.stringContaining('read') }],
    });
  });
});

describe('nothing is written for a run whose model cannot be', () => {
  const refused = async (model: string, fallbackModel?: string) => {
    const log = memoryLog();
    const options = { prompt: 'x', model, ...(fallbackModel === undefined ? {} : { fallbackModel }) };
    const error: unknown = await new Loops({ log, environment: { OPENAI_API_KEY: 'o' } })
      .start(options)
      .catch((error: unknown) => error);
    expect(await log.runs()).toEqual([]);
    const obstacle = obstacleOf(error);
    return { exit: obstacle && OBSTACLE_EXIT[obstacle], message: (error as Error).message };
  };

  test('a missing key is a matter of authentication, also that of the fallback', async () => {
    expect(await refused('anthropic/claude-sonnet-4-5')).toMatchObject({
      exit: 3,
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
    expect(await refused('openai/gpt-5', 'google/gemini-x')).toMatchObject({
      exit: 3,
      message: expect.stringContaining('GEMINI_API_KEY'),
    });
  });

  test('a malformed model name is a usage error', async () => {
    expect(await refused('opnai/gpt-5')).toMatchObject({ exit: 2, message: expect.stringContaining('openai/gpt-5') });
    expect(await refused('openai/gpt-5', 'gpt-4')).toMatchObject({ exit: 2 });
  });
});
