import { afterEach, describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/actors/model/model.ts';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { contextTokensOf } from '../../../src/actors/model/context-tokens.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { repository } from '../../git/repository.ts';
import { loopfold, Program, project, resultIn } from '../../cli/program.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { type ModelServer, modelServer } from '../../support/model-server/server.ts';
import { factsOf, office } from './office.ts';

const PROMISE = '<promise>TASK COMPLETE</promise>';
const write = (path: string, content = '') => ({ tool: 'write', arguments: { path, content } });

let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

/** Three iterations; every one writes a file and says what it has learned. */
const SCRIPT = {
  attempts: [
    { answers: [{ calls: [write('a.txt')] }, { text: 'The parser drops commas.' }] },
    { answers: [{ calls: [write('b.txt')] }, { text: 'The commas are back.' }] },
    { answers: [{ text: PROMISE }] },
  ],
};

async function played(options: Partial<RunOptions>, { script = SCRIPT, contextTokens = 32_000 } = {}) {
  const { root, commit } = await repository({ 'x.txt': 'x' });
  await commit();
  const requests: ModelRequest[] = [];
  const inner = scriptedModel(script);
  const { start, log } = office(script, {
    model: {
      ...inner,
      contextTokens: async () => contextTokens,
      answer: (asked, call) => (requests.push(asked), inner.answer(asked, call)),
    },
  });
  const task = { labels: ['ralph-wiggum-3'], prompt: 'Fix the parser.', directory: root, tools: ['write'] };
  const live = await start({ loop: 'ralph', ...task, ...options });
  const end = await live.done;
  const ofRound = (iteration: number, step = 0) =>
    requests.find((request) => request.iteration === iteration && request.step === step)?.messages ?? [];
  return { end, log, run: live.run, ofRound };
}

describe('the conversation of the iteration before', () => {
  test('R5 continue: an iteration sees what the last one said and did, then its own prompt', async () => {
    const { end, ofRound } = await played({ context: 'continue' });
    expect(end).toMatchObject({ outcome: { ending: 'success' } });

    expect(ofRound(0)).toHaveLength(1);
    const second = ofRound(1);
    expect(second.slice(0, -1)).toEqual([
      { role: 'user', text: expect.stringMatching(/^Fix the parser/) },
      { role: 'assistant', text: '', calls: [{ ...write('a.txt'), callId: 'earlier.0', providerId: null }] },
      { role: 'tool', callId: 'earlier.0', tool: 'write', output: expect.stringContaining('a.txt'), failed: false },
      { role: 'assistant', text: 'The parser drops commas.', calls: [] },
    ]);
    expect(second.at(-1)).toMatchObject({ role: 'user', text: expect.stringContaining('Iteration 2/3') });
    // Its own calls have other ids than those before.
    expect(JSON.stringify(ofRound(1, 1))).toMatch(/"callId":"earlier\.0".*"callId":"0\.0"/);

    const third = JSON.stringify(ofRound(2));
    expect(third).toMatch(/The parser drops commas.*Iteration 2\/3.*The commas are back.*Iteration 3\/3/);
    expect(third).toMatch(/"callId":"earlier\.0".*"callId":"earlier\.1"/);
  });

  testInTurn.each<Partial<RunOptions>>([{}, { context: 'fresh' }])(
    'R5 %j: an iteration begins with its prompt',
    async (how) => {
      const { ofRound, log, run } = await played(how);
      expect(ofRound(1)).toEqual([{ role: 'user', text: expect.stringContaining('Iteration 2/3') }]);
      const started = await factsOf(log, run, 'run.started');
      expect(started.map(({ payload }) => payload.settings.history)).toEqual(started.map(() => undefined));
    },
  );

  testInTurn.each<[string, Partial<RunOptions>, number]>([
    ['half of the window', {}, 20_000],
    ['half of the tokens that are left', { maxTokens: 40_000 }, 1_000_000],
  ])('R5 takes at most %s', async (_, options, contextTokens) => {
    const long = (of: string) => ({ text: of.repeat(6_000) });
    const script = {
      attempts: [
        { answers: [{ calls: [write('a.txt', 'y'.repeat(40_000))] }, long('z')] },
        { answers: [{ text: PROMISE }] },
      ],
    };
    const { log, run, ofRound } = await played({ context: 'continue', ...options }, { script, contextTokens });
    expect(ofRound(1).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(ofRound(1))).not.toContain('yyyy');
    const [, , second] = await factsOf(log, run, 'run.started');
    expect(second?.payload.settings.history).toHaveLength(2);
  });
});

testInTurn('R5 a run that is killed in an iteration and resumed has the same conversation', async () => {
  server = await modelServer({
    answers: [
      { calls: [{ id: 'c1', tool: 'write', arguments: { path: 'a.txt', content: 'a' } }] },
      { text: 'The parser drops commas.' },
      { calls: [{ id: 'c1', tool: 'shell', arguments: { command: 'sleep 300' } }] },
      { text: PROMISE },
    ],
  });
  const cwd = await project({ answers: [{ text: 'not used' }] }, { 'x.txt': 'x' });
  const env = { OPENAI_API_KEY: 'a-key-of-no-account', OPENAI_BASE_URL: `${server.url}/v1` };
  const asked = ['run', 'Fix the parser.', '-m', 'openai-chat/scripted', '--label', 'ralph-wiggum-2'];
  const killed = new Program([...asked, '--context', 'continue'], { cwd, env });
  await killed.shows('sleep 300');
  killed.signal('SIGKILL');
  await killed.ended;

  const resumed = await loopfold(['resume', '--last', '--output-format', 'json'], { cwd, env });
  expect(resultIn(resumed)).toMatchObject({ outcome: { ending: 'success' } });
  const [, , before, after] = server.requests.map(({ body }) => (body as { messages: readonly object[] }).messages);
  expect(JSON.stringify(before)).toContain('The parser drops commas.');
  expect(after?.slice(0, before?.length)).toEqual(before);
  const ids = JSON.stringify(after).match(/"tool_calls":\[\{"id":"[^"]+/g);
  expect(new Set(ids).size).toBe(2);

  expect(await loopfold(['check', '--last'], { cwd })).toMatchObject({ status: 0 });
  expect(await loopfold(['redecide', '--last'], { cwd, env })).toMatchObject({ status: 0 });
});

test('R5 the window of a model is that of the table of prices, and unknown elsewhere', async () => {
  expect(await contextTokensOf({ provider: 'openai', id: 'gpt-4o' })).toBe(128_000);
  expect(await contextTokensOf({ provider: 'ollama', id: 'qwen3' })).toBeNull();
  expect(await contextTokensOf({ provider: 'openai', id: 'no-such-model' })).toBeNull();
});
