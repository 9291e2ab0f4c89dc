import { expect, test } from 'vitest';
import type { Model } from '../../../src/actors/model/model.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { temporaryFolder } from '../../git/repository.ts';

test('G8 a model of one’s own that reports no usage is held to the cap of tokens', async () => {
  const moved: number[] = [];
  const model: Model = {
    name: 'own',
    answer: async ({ messages, step }) => {
      const text = 'x'.repeat(4_000);
      moved.push(Math.ceil((JSON.stringify(messages).length + text.length) / 4));
      return { text, calls: [{ tool: 'list', arguments: { path: '.', step } }] };
    },
  };
  const loops = new Loops({ log: memoryLog(), model });
  const run = await loops.start({
    prompt: 'Go on.',
    loop: 'turn',
    directory: await temporaryFolder(),
    tools: ['list'],
    maxTokens: 20_000,
    detectors: 'off',
  });
  const end = await run.done;
  if (end.kind !== 'ended') throw new Error(`it left as ${end.kind}`);
  expect(end.outcome).toMatchObject({ ending: 'budget' });
  const { inputTokens, outputTokens } = end.spend;
  expect(inputTokens + outputTokens).toBeLessThanOrEqual(20_000);
  expect(inputTokens + outputTokens).toBeGreaterThan(10_000);
  expect(moved.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThan(22_000);
});
