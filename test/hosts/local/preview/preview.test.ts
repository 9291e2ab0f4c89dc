import { describe, expect, test } from 'vitest';
import type { Model, ModelRequest } from '../../../../src/actors/model/model.ts';
import type { RunOptions } from '../../../../src/config/options.ts';
import { Loops } from '../../../../src/hosts/local/loops.ts';
import { memoryLog } from '../../../../src/log/memory/engine.ts';
import { repository } from '../../../actors/workspace/repository.ts';

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
  test.each<readonly [string, Partial<RunOptions>]>([
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
  const inWorkspace = await loops.preview({ ...options, checkIn: 'workspace' });
  expect(inWorkspace).toMatchObject({ checkIn: 'workspace', grounds: null });
});
