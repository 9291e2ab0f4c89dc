import { describe, expect, test } from 'vitest';
import type { Model, ModelRequest } from '../../../../src/actors/model/model.ts';
import type { RunOptions } from '../../../../src/config/options.ts';
import { Loops } from '../../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../../src/log/sqlite/engine.ts';
import { repository } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';

const PRICE = { inputPerMillion: 2, outputPerMillion: 8, source: 'test' };

/** A model that keeps what it is asked. */
function listening() {
  const asked: ModelRequest[] = [];
  const model: Model = {
    name: 'listening',
    answer: async (request) => {
      asked.push(request);
      return { text: 'It is done.\n\n<promise>TASK COMPLETE</promise>' };
    },
    price: async () => PRICE,
    contextTokens: async () => 9_000,
  };
  return { asked, loops: new Loops({ log: memoryLog(), model }) };
}

describe('G9 a preview has the first request that the run sends', () => {
  testInTurn.each<readonly [string, Partial<RunOptions>]>([
    ['a turn', { loop: 'turn', system: 'You review.' }],
    ['a turn without tools', { loop: 'turn', maxSteps: 0 }],
    ['an attempt, with instructions', { strategy: 'fixed', maxIterations: 1, agent: 'Coder' }],
    ['an attempt in a Ralph loop', { labels: ['ralph-wiggum-1'], completionPromise: 'TASK COMPLETE' }],
  ])('%s', async (_name, options) => {
    const { root: directory } = await repository({ 'AGENTS.md': 'Write tests first.' });
    const { asked, loops } = listening();
    const whole = { prompt: 'Fix it.', directory, ...options };
    const preview = await loops.preview(whole);
    expect({ asked, runs: await loops.log.runs() }).toEqual({ asked: [], runs: [] });
    await (
      await loops.start(whole)
    ).done;
    const [first] = asked;
    if (options.agent) expect(preview.request?.system).toContain('Write tests first.');
    expect(preview.request).toMatchObject({ system: first?.system, messages: first?.messages, tools: first?.tools });
    expect(preview.request?.tools.length).toBe(options.maxSteps === 0 ? 0 : first?.tools.length);
  });
});

test('G9 a preview estimates the request, and says what its input costs', async () => {
  const { root: directory } = await repository({ 'a.txt': 'a' });
  const { loops } = listening();
  const short = await loops.preview({ prompt: 'Fix it.', directory, loop: 'turn', maxSteps: 0 });
  expect(short).toMatchObject({ inputTokens: 2, price: PRICE, costNanoUsd: 4_000, contextTokens: 9_000 });
  const long = await loops.preview({ prompt: 'x'.repeat(4_000), directory, loop: 'turn', maxSteps: 0 });
  expect(long.inputTokens).toBe(1_000);
});

test('G9 a preview says where checks run and what they rest on, and starts none', async () => {
  const files = { 'test/a.test.js': '', 'src/a.js': '' };
  const { root: directory } = await repository(files);
  const { loops } = listening();
  const options = { prompt: 'Fix it.', directory, checks: ['touch ran; false'] };
  const preview = await loops.preview(options);
  expect(preview.checkIn).toBe('proof');
  expect([...(preview.grounds?.grounds.keys() ?? [])]).toEqual(['test/a.test.js']);
  expect(preview.addsBaseline).toBe(true);
  const inWorkspace = await loops.preview({ ...options, checkIn: 'workspace' });
  expect(inWorkspace).toMatchObject({ checkIn: 'workspace', grounds: null, addsBaseline: false });
});

describe('G9 a preview warns where the first request alone', () => {
  const LONG = { prompt: 'x'.repeat(40_000), loop: 'turn', maxSteps: 0 } as const;

  testInTurn.each<readonly [string, Partial<RunOptions>, string]>([
    ['passes the cap on tokens', { maxTokens: 10_050 }, 'about 10,064 tokens, and the cap is 10,050 tokens.'],
    [
      'passes it with what the summary takes',
      { maxTokens: 11_000, summaryTokens: 1_000 },
      'the cap is 11,000 tokens, of which 1,000 tokens are set aside for the summary.',
    ],
    ['passes the cap on money', { maxCost: 0.02 }, 'maxCost (--max-cost): with a short answer it needs about $0.0205'],
  ])('%s, and such a run does not ask', async (_name, caps, expected) => {
    const { root: directory } = await repository({ 'a.txt': 'a' });
    const { asked, loops } = listening();
    const options = { ...LONG, ...caps, directory };
    const { warnings } = await loops.preview(options);
    expect(warnings).toContainEqual(expect.stringContaining(expected));
    const { done } = await loops.start(options);
    expect(await done).toMatchObject({ outcome: { ending: 'budget' } });
    // The summary is not one of its requests.
    expect(asked.filter(({ messages }) => messages[0]?.role === 'user' && messages[0].text === LONG.prompt)).toEqual(
      [],
    );
  });

  test('does not fit the window, and not where it fits', async () => {
    const { root: directory } = await repository({ 'a.txt': 'a' });
    const { loops } = listening();
    const { warnings } = await loops.preview({ ...LONG, directory });
    expect(warnings).toEqual([
      expect.stringMatching(/^The first request alone does not fit the window of default: .*10,000 .* 9,000 tokens\./),
    ]);
    const fitting = { ...LONG, prompt: 'x'.repeat(4_000), maxTokens: 1_064, maxCost: 0.1, directory };
    expect(await loops.preview(fitting)).toMatchObject({ warnings: [], answerTokens: 64 });
  });
});

testInTurn.each<readonly [string, Partial<RunOptions>, number | null]>([
  ['without a cap its provider decides', {}, null],
  ['an option bounds it', { maxAnswerTokens: 500 }, 500],
  ['a cap bounds it', { maxTokens: 300, maxAnswerTokens: 500 }, 298],
])('G9 a preview has the longest answer of the first request: %s', async (_name, options, answerTokens) => {
  const { root: directory } = await repository({ 'a.txt': 'a' });
  const { asked, loops } = listening();
  const whole = { prompt: 'Fix it.', directory, loop: 'turn', maxSteps: 0, ...options };
  expect(await loops.preview(whole)).toMatchObject({ answerTokens });
  await (
    await loops.start(whole)
  ).done;
  expect(asked[0]?.maxOutputTokens ?? null).toBe(answerTokens);
});
