import { dirname } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { project, resultIn } from '../cli/program.ts';
import { loopfold } from '../cli/warm-process.ts';
import { type ModelServer, modelServer } from '../support/model-server/server.ts';
import { tenthOf } from '../support/tenth.ts';

const TASK = 'Make the tests pass.';
const FILES = {
  'package.json': '{"type": "module"}',
  'sum.js': 'export const sum = (a, b) => a - b;\n',
  'sum.test.js': `import { test } from 'node:test';
import { equal } from 'node:assert/strict';
import { sum } from './sum.js';
test('adds', () => equal(sum(2, 3), 5));
test('adds nothing', () => equal(sum(2, 0), 2));
test('adds less than nothing', () => equal(sum(2, -3), -1));
`,
};
const USAGE = { inputTokens: 1_200, outputTokens: 34, cachedInputTokens: 200, reasoningTokens: 7 };
const writes = (body: string) => [
  {
    text: 'I see.',
    calls: [{ tool: 'write', arguments: { path: 'sum.js', content: `export const sum = (a, b) => ${body};\n` } }],
    usage: USAGE,
  },
  { text: 'The tests pass now.', usage: USAGE },
];
const SCRIPT = {
  answers: [...writes('a * b'), ...writes('a + Math.abs(b)'), ...writes('a + b')],
  faults: [
    { request: 1, status: 429, headers: { 'retry-after-ms': '300' } },
    { request: 4, status: 500, headers: { 'retry-after-ms': '20' } },
    { request: 7, dieAfter: 3 },
  ],
};
/** Answers and failures: three attempts of two steps, and three requests that failed. */
const REQUESTS = 9;
const PRICE = { inputPerMillion: 2.5, outputPerMillion: 10, cachedInputPerMillion: 0.25 };

const WIRES = [
  { provider: 'openai', wire: 'responses', variable: 'OPENAI', path: '/v1' },
  { provider: 'openai-chat', wire: 'chat', variable: 'OPENAI', path: '/v1' },
  { provider: 'openai-compatible', wire: 'chat', variable: 'OPENAI_COMPATIBLE', path: '/v1' },
  { provider: 'anthropic', wire: 'anthropic', variable: 'ANTHROPIC', path: '' },
] as const;

let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

interface Spent {
  readonly type: string;
  readonly payload: {
    readonly usage?: { inputTokens: number; outputTokens: number; estimated?: true; cost?: { nanoUsd: number } };
  };
}

describe.each(tenthOf(WIRES))('a run on the $wire wire of $provider', ({ provider, wire, variable, path }) => {
  test('fixes a failing suite at the third attempt, despite failures, and counts as the server does', async () => {
    server = await modelServer(SCRIPT);
    const config = JSON.stringify({ providers: { [provider]: { prices: { scripted: PRICE } } } });
    const cwd = await project({ answers: [{ text: 'not used' }] }, { ...FILES, 'loopfold.config.json': config });
    const env = {
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      [`${variable}_API_KEY`]: 'a-key-of-no-account',
      [`${variable}_BASE_URL`]: `${server.url}${path}`,
    };
    const words = ['run', TASK, '--verify', 'node --test', '-m', `${provider}/scripted`, '--output-format', 'json'];

    const ended = await loopfold(words, { cwd, env });

    const result = resultIn(ended);
    expect(ended.stderr).not.toContain('a-key-of-no-account');
    expect(result).toMatchObject({ exit: 0, outcome: { ending: 'success', partial: false } });
    expect(result.iterations.map(({ passed }) => passed)).toEqual([false, false, true]);
    expect(server.requests.map((request) => request.wire)).toEqual(Array(REQUESTS).fill(wire));

    const events = await eventsOf(cwd, env);
    expect(events.filter(({ type }) => type === 'model.limited')).toHaveLength(1);
    expect(events.filter(({ type, payload }) => type === 'model.retried' && 'retryAt' in payload)).toHaveLength(2);
    const { counted, all } = spentIn(events);
    expect(counted).toEqual(spentOn(server.requests.filter(({ end }) => end !== 'cut')));
    // The first count of a stream that dies is no last one: what is estimated in its place is never less.
    const { inputTokens, outputTokens } = spentOn(server.requests);
    expect(all.inputTokens).toBeGreaterThanOrEqual(inputTokens);
    expect(all.outputTokens).toBeGreaterThan(outputTokens);
  });
});

/** The events of a run and of its attempts. */
async function eventsOf(cwd: string, env: Readonly<Record<string, string>>): Promise<Spent[]> {
  const top = await linesOf(['events', '--last', '--json'], cwd, env);
  const children = top.flatMap(({ type, payload }) =>
    type === 'child.settled' && 'child' in payload ? [String(payload.child)] : [],
  );
  const below = await Promise.all(children.map((child) => linesOf(['events', child, '--json'], cwd, env)));
  return [...top, ...below.flat()];
}

async function linesOf(words: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<Spent[]> {
  const { stdout } = await loopfold(words, { cwd, env });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Spent);
}

/** What the log says was counted, and what it cost. What the provider did not count is an estimate, and is marked. */
function spentIn(events: readonly Spent[]) {
  const usages = events.flatMap(({ payload: { usage } }) => (usage ? [usage] : []));
  return { counted: sumOf(usages.filter(({ estimated }) => !estimated)), all: sumOf(usages) };
}

function sumOf(usages: readonly NonNullable<Spent['payload']['usage']>[]) {
  const sum = (pick: (usage: (typeof usages)[number]) => number) =>
    usages.reduce((total, usage) => total + pick(usage), 0);
  return {
    inputTokens: sum((usage) => usage.inputTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    nanoUsd: sum(({ cost }) => cost?.nanoUsd ?? 0),
  };
}

/** The same from the other side. */
function spentOn(requests: ModelServer['requests']) {
  const reported = requests.flatMap((request) => (request.reported ? [request.reported] : []));
  const total = { inputTokens: 0, outputTokens: 0, nanoUsd: 0 };
  for (const { inputTokens, outputTokens, cachedInputTokens = 0 } of reported) {
    const { inputPerMillion, outputPerMillion, cachedInputPerMillion } = PRICE;
    total.inputTokens += inputTokens;
    total.outputTokens += outputTokens;
    const dollars =
      (inputTokens - cachedInputTokens) * inputPerMillion +
      cachedInputTokens * cachedInputPerMillion +
      outputTokens * outputPerMillion;
    total.nanoUsd += Math.round(dollars * 1_000);
  }
  return total;
}
