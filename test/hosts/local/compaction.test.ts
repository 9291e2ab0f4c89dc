import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunOptions } from '../../../src/config/options.ts';
import type { Model } from '../../../src/actors/model/model.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { median } from '../../bench/measure.ts';
import { temporaryFolder } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { environmentOn, WIRES } from '../../support/model-server/on-each-wire.ts';
import type { ServerScript } from '../../support/model-server/script.ts';
import { modelServer } from '../../support/model-server/server.ts';
import { tenthOf } from '../../support/tenth.ts';

const SUMMARY = 'SUMMARY-SENTINEL: files 0 to 9 were read.';
const STEERING = 'Never touch the lockfile.';

/** Each answer reads another of so many files, then it is done. */
const reading = (steps: number, files = 40): ServerScript['answers'] => [
  ...Array.from({ length: steps }, (_, step) => ({
    text: `Step ${step}.`,
    calls: [{ tool: 'read', arguments: { path: `part-${step % files}.txt`, startLine: 1 + Math.floor(step / files) } }],
  })),
  { text: 'All parts are read.' },
];

async function folderOf(files: number, characters: number): Promise<string> {
  const directory = await temporaryFolder();
  for (let file = 0; file < files; file += 1) {
    const line = `file ${file}: ${'lorem ipsum dolor '.repeat(4)}\n`;
    await writeFile(join(directory, `part-${file}.txt`), line.repeat(Math.ceil(characters / line.length)));
  }
  return directory;
}

interface Wanted extends Partial<RunOptions> {
  readonly script: Partial<ServerScript> & Pick<ServerScript, 'answers'>;
  readonly known?: number;
  readonly steering?: string;
}

async function turnOn(model: string, { script, known, steering, ...options }: Wanted) {
  const aside = { contains: 'no longer fits your window', answer: { text: SUMMARY } };
  const server = await modelServer({ asides: [aside], ...script });
  onTestFinished(server.close);
  const [provider = ''] = model.split('/');
  const providers = known === undefined ? {} : { [provider]: { contextTokens: { m: known } } };
  const loops = new Loops({ log: memoryLog(), environment: environmentOn(server.url), providers });
  const run = await loops.start({ prompt: 'Read all parts.', loop: 'turn', tools: ['read'], model, ...options });
  if (steering !== undefined) await loops.steer(run.run, steering);
  const end = await run.done;
  if (end.kind !== 'ended') throw new Error(`it left as ${end.kind}`);
  const facts = await lastValueFrom(loops.events(run.run).pipe(toArray()));
  const types = facts.map(({ type }) => type);
  const count = (type: string) => types.filter((one) => one === type).length;
  return { outcome: end.outcome, spend: end.spend, server, facts, count };
}

/** A request as a provider reads it: tools, system, messages. The end of the list is left open. */
function readAs(body: unknown): string {
  const { tools, system, instructions, messages, input, contents } = body as { readonly [part: string]: unknown };
  return JSON.stringify([tools, system ?? instructions, messages ?? input ?? contents]).slice(0, -2);
}

/** Bytes that are equal from the start, of those of the request before. */
function sharedParts(bodies: readonly unknown[]): readonly number[] {
  const read = bodies.map(readAs);
  return read.slice(1).map((text, index) => {
    const before = read[index] ?? '';
    let equal = 0;
    while (equal < before.length && before[equal] === text[equal]) equal += 1;
    return equal / before.length;
  });
}

testInTurn(
  'G5 200 steps against a window of 32,000 tokens end in success, and the provider’s cache holds',
  async () => {
    const directory = await folderOf(40, 6_000);

    const { outcome, server, count } = await turnOn('openai-chat/m', {
      directory,
      known: 32_000,
      script: { answers: reading(199), windowTokens: 32_000 },
      maxToolCalls: 200,
    });

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(count('model.completed')).toBe(200);
    expect(count('context.compacted')).toBeGreaterThan(5);
    expect(server.requests.filter(({ end }) => end !== 'whole')).toEqual([]);
    expect(median(sharedParts(server.requests.map(({ body }) => body)))).toBeGreaterThanOrEqual(0.9);
  },
);

describe.each(tenthOf(WIRES))('%s', (model) => {
  test('G5 a conversation is summarised before the known window is full, and goes on', async () => {
    const directory = await folderOf(6, 8_000);

    const { outcome, spend, server, facts, count } = await turnOn(model, {
      directory,
      known: 9_000,
      script: { answers: reading(6), windowTokens: 9_000 },
    });

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(count('context.compacted')).toBeGreaterThan(0);
    expect(server.requests.every(({ end }) => end === 'whole')).toBe(true);
    const summarised = facts.findIndex(({ type }) => type === 'context.compacted');
    const asked = server.requests.findIndex(({ isAside }) => isAside);
    const after = JSON.stringify(server.requests[asked + 1]?.body);
    expect(summarised).toBeGreaterThan(0);
    for (const text of ['Read all parts.', 'SUMMARY-SENTINEL']) expect(after).toContain(text);
    const counted = Object.values(server.spent()).reduce((sum, one) => sum + one.inputTokens + one.outputTokens, 0);
    expect(spend.inputTokens + spend.outputTokens).toBe(counted);
  });

  test('G5 where the window is unknown, the refusal of the provider teaches it', async () => {
    const directory = await folderOf(6, 8_000);

    const { outcome, server, facts } = await turnOn(model, {
      directory,
      script: { answers: reading(6), windowTokens: 9_000 },
    });

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(server.requests.filter(({ end }) => end === 'refused').length).toBeLessThanOrEqual(2);
    expect(facts.find(({ type }) => type === 'context.filled')?.payload).toMatchObject({
      refusedTokens: expect.any(Number),
    });
  });

  test('G5 what never fits ends the turn after two summaries at most', async () => {
    const { outcome, server } = await turnOn(model, {
      directory: await folderOf(1, 10),
      prompt: 'x'.repeat(80_000),
      script: { answers: reading(3), windowTokens: 5_000 },
    });

    expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: 'context-full' } });
    expect(server.requests.length).toBeLessThanOrEqual(4);
  });
});

test('G5 a summary that the model cannot give is made of what was done, with a warning', async () => {
  const directory = await folderOf(6, 8_000);

  const { outcome, facts, count } = await turnOn('openai-chat/m', {
    directory,
    known: 9_000,
    script: {
      answers: reading(6),
      windowTokens: 9_000,
      asides: [
        {
          contains: 'no longer fits your window',
          answer: { text: '', calls: [{ tool: 'read', arguments: { path: 'x' } }] },
        },
      ],
    },
  });

  expect(outcome).toMatchObject({ ending: 'success' });
  expect(count('context.compacted')).toBeGreaterThan(0);
  const summary = facts.find(({ type }) => type === 'context.compacted')?.payload;
  expect(summary).toMatchObject({ summary: expect.stringContaining('called read {"path":"part-') });
  expect(facts.filter(({ type }) => type === 'warning.raised').map(({ payload }) => payload)).toContainEqual(
    expect.objectContaining({ code: 'compaction_failed' }),
  );
});

testInTurn('G5 what a person has added to the task is beside every summary', async () => {
  const { server } = await turnOn('openai-chat/m', {
    directory: await folderOf(6, 8_000),
    known: 9_000,
    // The first answer takes its time, so that the steering is recorded before the summary.
    script: { answers: reading(6), windowTokens: 9_000, faults: [{ request: 0, delayMs: 250 }] },
    steering: STEERING,
  });

  const asked = server.requests.findIndex(({ isAside }) => isAside);
  expect(JSON.stringify(server.requests[asked + 1]?.body)).toContain(`person:\\n- ${STEERING}`);
});

describe('G5 a summary that is under way', () => {
  /** Fills a small window, and holds its first summary back until it is told to stop. */
  function holding() {
    let tell = () => {};
    const asked = new Promise<void>((done) => (tell = done));
    let summaries = 0;
    const model: Model = {
      name: 'own',
      contextTokens: async () => 3_000,
      answer: async ({ messages, step }, { signal }) => {
        const last = messages.at(-1);
        const usage = { inputTokens: 100, outputTokens: 10 };
        if (last?.role === 'user' && last.text.includes('no longer fits your window')) {
          summaries += 1;
          if (summaries > 1) return { text: SUMMARY, usage };
          tell();
          await new Promise((stopped) => signal.addEventListener('abort', stopped));
          throw new Error('stopped');
        }
        if (messages.some((one) => one.role === 'user' && one.text.includes(SUMMARY))) return { text: 'Done.', usage };
        const inputTokens = messages.reduce((sum, one) => sum + JSON.stringify(one).length / 4, 0);
        const call = { tool: 'read', arguments: { path: 'part-0.txt', startLine: 1 + step } };
        return { text: 'I read.', calls: [call], usage: { inputTokens: Math.ceil(inputTokens), outputTokens: 10 } };
      },
    };
    return { model, asked, summaries: () => summaries };
  }

  const begun = async () => {
    const { model, asked, summaries } = holding();
    const loops = new Loops({ log: memoryLog(), model });
    const directory = await folderOf(1, 6_000);
    const run = await loops.start({ prompt: 'Read it.', loop: 'turn', tools: ['read'], directory, maxTokens: 100_000 });
    await asked;
    const facts = () => lastValueFrom(loops.events(run.run).pipe(toArray()));
    return { loops, run, facts, summaries };
  };

  test('G5 ends with an abort, and what it may have used counts', async () => {
    const { loops, run, facts } = await begun();
    await loops.abort(run.run);

    expect(await run.done).toMatchObject({ kind: 'ended', outcome: { ending: 'abort', cause: 'user' } });
    const lost = (await facts()).find(({ type }) => type === 'effect.interrupted');
    expect(lost?.payload).toMatchObject({ actor: 'compaction', usage: { estimated: true } });
  });

  testInTurn('G5 is asked for again after a pause', async () => {
    const { loops, run, facts, summaries } = await begun();
    await loops.pause(run.run);
    expect(await run.done).toMatchObject({ kind: 'paused' });
    const resumed = await loops.resume(run.run);
    if (resumed.kind !== 'live') throw new Error(resumed.kind);

    expect(await resumed.live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
    expect(summaries()).toBe(2);
    expect((await facts()).filter(({ type }) => type === 'context.compacted')).toHaveLength(1);
  });
});
