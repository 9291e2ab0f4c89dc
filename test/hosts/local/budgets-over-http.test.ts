import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { tokensOf } from '../../../src/budget/limit-use.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { OptionsError } from '../../../src/app/start/options-error.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { modelServer } from '../../support/model-server/server.ts';
import type { ServerScript } from '../../support/model-server/script.ts';
import { tool } from '../../support/stand-ins.ts';

const MODEL = 'openai-chat/gpt-5';
const PRICES = { 'gpt-5': { inputPerMillion: 2, outputPerMillion: 10 } };
const KEY = 'sk-test-0123456789';
const NANO_PER_INPUT = 2_000;

/** The same numbers for the same seed, from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Answers of any length, which ask for calls of any length; some requests go wrong in the middle. */
function storyOf(random: () => number): ServerScript {
  const upTo = (most: number) => Math.floor(random() * most);
  const answers = Array.from({ length: 60 }, (_, step) => ({
    text: 'w'.repeat(upTo(6_000)),
    calls: [{ tool: 'note', arguments: { step, characters: upTo(8_000) } }],
    chunkCharacters: 500,
  }));
  const faults = [
    { request: upTo(5), status: 500, headers: { 'retry-after-ms': '1' } },
    { request: 5 + upTo(5), status: 429, headers: { 'retry-after-ms': '1' } },
  ];
  return { answers, faults };
}

const talkative = tool('note', async ({ characters }) => ({ output: 'n'.repeat(Number(characters)) }));

async function runOf(seed: number, caps: Partial<RunOptions>) {
  const server = await modelServer(storyOf(randomOf(seed)));
  onTestFinished(server.close);
  const environment = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.url };
  const loops = new Loops({
    log: memoryLog(),
    environment,
    providers: { 'openai-chat': { prices: PRICES } },
    tools: [talkative],
  });
  const given = {
    prompt: 'Write.',
    loop: 'turn',
    model: MODEL,
    tools: ['note'],
    detectors: ['off'],
    maxToolCalls: 'none',
  } as const;
  const run = await loops.start({
    ...given,
    detectors: ['off'],
    tools: ['note'],
    directory: await temporaryFolder(),
    ...caps,
  });
  const end = await run.done;
  const events = (await lastValueFrom(loops.events(run.run).pipe(toArray()))) as unknown as LoopEvent[];
  if (end.kind !== 'ended') throw new Error(`it is ${end.kind}`);
  return { end, events, server };
}

/** By how much each call took in more than was expected of it. */
function errorsIn(events: readonly LoopEvent[]): readonly number[] {
  let expected = 0;
  const errors: number[] = [];
  for (const event of events) {
    if (event.type === 'step.started') expected = event.payload.reserved?.inputTokens ?? 0;
    if (event.type === 'model.completed') errors.push(Math.max(0, event.payload.usage.inputTokens - expected));
  }
  return errors;
}

describe('T6 over HTTP, counted by the server', () => {
  test.each([1, 2, 3, 4, 5, 6])(
    'T6 tokens never pass their cap by more than what one call took in unexpectedly (seed %i)',
    async (seed) => {
      const maxTokens = 5_000 + Math.floor(randomOf(seed + 100)() * 60_000);
      const { end, events, server } = await runOf(seed, { maxTokens, maxSteps: 60 });
      expect(end.outcome).toMatchObject({ ending: 'budget', limit: { name: 'tokens', limit: maxTokens } });
      expect(tokensOf(end.spend)).toBeLessThanOrEqual(maxTokens + Math.max(...errorsIn(events)));
      const [spent] = Object.values(server.spent());
      expect(spent && tokensOf(spent)).toBe(tokensOf(end.spend));
      expect(server.requests.length).toBeGreaterThan(1);
    },
  );

  test.each([1, 2, 3, 4])('T6 money never passes its cap by more than that (seed %i)', async (seed) => {
    const maxCost = 0.02 + randomOf(seed + 200)() * 0.1;
    const { end, events } = await runOf(seed, { maxCost, maxSteps: 60 });
    expect(end.outcome).toMatchObject({ ending: 'budget', limit: { name: 'cost_nano_usd' } });
    const worst = Math.max(...errorsIn(events)) * NANO_PER_INPUT;
    expect(end.spend.costNanoUsd).toBeLessThanOrEqual(maxCost * 1e9 + worst + 1);
    const reserved = events.find((event): event is EventOf<'step.started'> => event.type === 'step.started')?.payload
      .reserved;
    expect(reserved?.price).toMatchObject({ inputPerMillion: 2, outputPerMillion: 10 });
  });
});

describe('T6 money is limited only where prices are known', () => {
  const asking = async (model: string, options: ConstructorParameters<typeof Loops>[0]) =>
    new Loops(options).check({ prompt: 'Go.', model, maxCost: 1, directory: await temporaryFolder() });

  test('T6 a model without one is refused before there is a run, with what to do', async () => {
    const environment = { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9/v1' };
    const refused = await asking('openai-compatible/home', { log: memoryLog(), environment }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(OptionsError);
    expect(String(refused)).toContain('maxCost: expected a model whose price is known');
    expect(String(refused)).toContain('openai-compatible/home');
    expect(String(refused)).toContain('providers.openai-compatible.prices["home"]');
  });

  test('T6 a scripted model may say its own', async () => {
    const price = { inputPerMillion: 1, outputPerMillion: 1 };
    const answers = [{ text: 'x'.repeat(40_000) }];
    await expect(asking('any', { log: memoryLog(), model: scriptedModel({ answers }) })).rejects.toThrow('maxCost');
    const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers, price }) });
    const run = await loops.start({
      prompt: 'Go.',
      detectors: ['off'],
      tools: [],
      maxCost: 0.002,
      maxSteps: 9,
      directory: await temporaryFolder(),
    });
    const end = await run.done;
    expect(end).toMatchObject({ outcome: { ending: 'budget', limit: { name: 'cost_nano_usd', limit: 2_000_000 } } });
    expect(end.kind === 'ended' && end.spend.costNanoUsd).toBeLessThanOrEqual(2_000_000);
  });
});
