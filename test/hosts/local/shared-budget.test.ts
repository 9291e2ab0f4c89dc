import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunOptions } from '../../../src/config/options.ts';
import { tokensOf } from '../../../src/budget/limit-use.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { modelServer } from '../../support/model-server/server.ts';
import type { ServerScript } from '../../support/model-server/script.ts';

const TASK = 'Look into part';
const PRICES = { m: { inputPerMillion: 2, outputPerMillion: 10 } };

/** One answer delegates to so many children at once, each of which says as much as it may. */
const delegating = (children: number): ServerScript => ({
  answers: [
    {
      calls: Array.from({ length: children }, (_, part) => ({
        tool: 'delegate',
        arguments: { task: `${TASK} ${part}. ${'Be thorough. '.repeat(20)}` },
      })),
    },
    { text: 'All parts are done.' },
  ],
  asides: [{ contains: TASK, answer: { text: 'w'.repeat(200_000), chunkCharacters: 5_000 } }],
});

async function turnOn(script: ServerScript, options: Partial<RunOptions>) {
  const server = await modelServer(script);
  onTestFinished(server.close);
  const loops = new Loops({
    log: memoryLog(),
    environment: { OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: server.url },
    providers: { 'openai-chat': { prices: PRICES } },
  });
  const directory = await temporaryFolder();
  const run = await loops.start({ prompt: 'Do it.', loop: 'turn', model: 'openai-chat/m', ...options, directory });
  const end = await run.done;
  if (end.kind !== 'ended') throw new Error(`it left as ${end.kind}`);
  const facts = await lastValueFrom(loops.events(run.run).pipe(toArray()));
  const [spent = { inputTokens: 0, outputTokens: 0 }] = Object.values(server.spent());
  return { end, facts, server, spent };
}

describe('T6 what delegated work uses together, counted by the server', () => {
  testInTurn.each([8, 16])(
    'T6 %i children at once keep within the cap of tokens of their delegator',
    async (children) => {
      const maxTokens = 60_000;
      const { end, spent, server } = await turnOn(delegating(children), {
        tools: ['delegate', 'read', 'shell'],
        maxTokens,
      });

      expect(server.requests.length).toBeGreaterThan(children);
      expect(tokensOf(spent)).toBe(tokensOf(end.spend));
      expect(tokensOf(spent) / maxTokens).toBeLessThanOrEqual(1.02);
    },
  );

  testInTurn('T6 16 children keep within the cap of money', async () => {
    const { end } = await turnOn(delegating(16), { tools: ['delegate', 'read', 'shell'], maxCost: 0.2 });

    expect((end.spend.costNanoUsd ?? 0) / 2e8).toBeLessThanOrEqual(1.02);
  });
});

test('T6 a first request that is too long with its tools is not sent', async () => {
  const { end, server } = await turnOn(delegating(1), { tools: ['delegate', 'read', 'shell'], maxTokens: 400 });

  expect(end.outcome).toMatchObject({ ending: 'budget', limit: { name: 'tokens', used: 0, limit: 400 } });
  expect(server.requests).toEqual([]);
});

test('T12 a summary for which the caps leave no room is not asked for', async () => {
  const script: ServerScript = {
    // The provider counts far more than was expected of the request.
    answers: [
      {
        text: 'Step.',
        calls: [{ tool: 'read', arguments: { path: 'a' } }],
        usage: { inputTokens: 90_000, outputTokens: 10 },
      },
    ],
  };
  const { end, server, facts } = await turnOn(script, { tools: ['read'], maxCost: 0.1, summaryTokens: 1_000 });

  expect(end.outcome).toMatchObject({ ending: 'budget' });
  expect(server.requests).toHaveLength(1);
  expect(facts.find(({ type }) => type === 'summary.written')?.payload).toMatchObject({
    text: expect.stringMatching(/^cost budget exhausted \(\$0\.1801\/\$0\.1000, \$0\.0100 set aside/),
  });
});
