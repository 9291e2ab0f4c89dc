import { expect, test } from 'vitest';
import { repository } from '../../git/repository.ts';
import type { ScriptedAnswer } from '../../../src/actors/model/script.ts';
import { NODE_TESTS } from '../../support/node-tests.ts';
import { factsOf, office } from '../../hosts/local/office.ts';

const FILES = {
  '.gitignore': '.loopfold\n',
  'package.json': '{"type": "module"}\n',
  'sum.js': "export { sum } from './add.js';\n",
  'add.js': 'export const sum = (a, b) => a - b;\n',
  'sum.test.js':
    "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from './sum.js';\n" +
    "import { half } from './half.js';\ntest('adds halves', () => assert.equal(sum(half(2), half(4)), 3));\n",
  'half.js': 'export const half = (n) => n;\n',
};
const USAGE = { inputTokens: 6_000, outputTokens: 100 };
const wrote = (path: string, content: string): ScriptedAnswer => ({
  calls: [{ tool: 'write', arguments: { path, content } }],
  usage: USAGE,
});

test('I14 a cut experiment begins with its own files in a later iteration', async () => {
  const repo = await repository(FILES);
  await repo.git('config', 'user.name', 'Grace');
  await repo.git('config', 'user.email', 'grace@example.org');
  await repo.commit();
  const prompts: string[] = [];
  const { start, log } = office(({ messages: [task], step, tools }): ScriptedAnswer => {
    if (tools.length === 0) return { text: 'Look.', usage: { inputTokens: 100, outputTokens: 10 } };
    const prompt = task && 'text' in task ? task.text : '';
    if (step === 0) prompts.push(prompt);
    if (prompt.includes('was cut by a limit'))
      return step === 0 ? wrote('add.js', 'export const sum = (a, b) => a + b;\n') : { text: 'Done.', usage: USAGE };
    return step === 0
      ? wrote('half.js', 'export const half = (n) => n / 2 ;\n')
      : wrote('half.js', `export const half = (n) => n / 2; // ${step}\n`);
  });
  const live = await start({
    loop: 'improvement',
    directory: repo.root,
    tools: ['write'],
    detectors: ['off'],
    checks: [`L1:${NODE_TESTS}`],
    maxIterations: 3,
    maxTokens: 1_000_000,
    options: {
      phases: {
        discovery: { sources: ['failing-tests'] },
        experiment: { estimateTokens: 2_000, useBatchAPI: false },
      },
    },
  } as never);
  const end = await live.done;
  const facts = async <Type extends Parameters<typeof factsOf>[2]>(type: Type) =>
    (await factsOf(log, live.run, type)).map(({ payload }) => payload);
  // The estimate is what has to be there; ten times of it may be used.
  const started = await facts('experiment.started');
  expect(started.map(({ reserved }) => reserved?.tokens)).toEqual([20_000, 20_000]);
  const settled = await facts('child.settled');
  expect(settled.map(({ outcome }) => outcome.ending)).toEqual(['budget', 'success']);
  const [cut, kept] = await facts('evaluation.completed');
  expect(cut).toMatchObject({ passed: false, cut: true });
  expect(kept).toMatchObject({ passed: true, grade: 'witnessed' });
  const tiers = (await facts('tier.completed')).filter(({ tier }) => tier === 'ended');
  expect(tiers.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/cut before it had finished, budget/),
    'its agent has finished',
  ]);
  const [, again] = await facts('experiment.prepared');
  expect(again?.continues).toEqual(expect.any(String));
  expect(prompts[1]).toContain('You begin with the files that it has left');
  expect(end).toMatchObject({ outcome: { ending: 'success', verified: { grade: 'witnessed' } } });
  const branch = `loopfold/${live.run}`;
  expect(await repo.git('show', `${branch}:half.js`)).toMatch(/n \/ 2; \/\/ \d/);
  expect(await repo.git('show', `${branch}:add.js`)).toContain('a + b');
});
