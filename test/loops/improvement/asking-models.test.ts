import { expect, onTestFinished, test } from 'vitest';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import type { ModelRequest } from '../../../src/actors/model/model.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { modelServer } from '../../support/model-server/server.ts';
import { environmentOn } from '../../support/model-server/on-each-wire.ts';
import { all, discoveredIn, nights } from './one-night.ts';

const FILES = { 'a.js': '// TODO: one\n', 'b.js': '// TODO: two\n' };
const FILTER = 'script:filter';

/** A model that is asked by every phase, and what it was asked. */
function answering(answer: string) {
  const prompts: string[] = [];
  const model = scriptedModel(({ messages }: ModelRequest) => {
    prompts.push(messages.map((one) => (one.role === 'user' ? one.text : '')).join('\n'));
    return { text: answer, usage: { inputTokens: 70, outputTokens: 7 } };
  });
  return { model, prompts };
}

test("I6 a model's scores replace those of the rules, and what it leaves out keeps its own", async () => {
  const { model, prompts } = answering('```json\n[{"finding": 2, "score": 0.9}]\n```');
  const phases = { experiment: { enabled: false }, filter: { model: FILTER } };
  const { listed } = await nights({ files: FILES, phases, loops: { model } });
  const [filtered] = all(await listed(), 'filter.completed');
  expect(filtered).toMatchObject({
    candidates: [{ title: 'TODO: two', relevanceScore: 0.9 }],
    refused: 1,
    usage: { inputTokens: 70, outputTokens: 7 },
  });
  expect(filtered?.fault).toBeUndefined();
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toContain('Keep it small.');
});

const WRONG = ['I like the first.', '[]', '[{"finding":9,"score":1}]', '[{"finding":1,"score":1.5}]', '{"1":1}'];
for (const answer of WRONG) {
  testInTurn(`I6 after the answer \`${answer}\` the scores of the rules stand, and the event says why`, async () => {
    const { model } = answering(answer);
    const phases = { experiment: { enabled: false }, filter: { model: FILTER, minRelevanceScore: 0.4 } };
    const { listed } = await nights({ files: FILES, phases, loops: { model } });
    const [filtered] = all(await listed(), 'filter.completed');
    expect(filtered).toMatchObject({
      candidates: [{ relevanceScore: 0.4 }, { relevanceScore: 0.4 }],
      fault: { code: 'scores_unreadable' },
      usage: { inputTokens: 70 },
    });
  });
}

testInTurn('I1 without a filter model, a scripted run asks none', async () => {
  const { model, prompts } = answering('[]');
  const { listed } = await nights({ files: FILES, loops: { model } });
  const [filtered] = all(await listed(), 'filter.completed');
  expect([prompts, filtered?.usage, filtered?.refused]).toEqual([[], undefined, 2]);
});

testInTurn("I1 by default the cheapest known model of the run's provider filters", async () => {
  const server = await modelServer({ answers: [{ text: '[{"finding": 1, "score": 1}]' }] });
  onTestFinished(() => server.close());
  const options = { model: 'openai-chat/gpt-5' };
  const { listed } = await nights({
    files: FILES,
    options,
    loops: { model: null, environment: environmentOn(server.url) },
  });
  const [filtered] = all(await listed(), 'filter.completed');
  expect(filtered).toMatchObject({ candidates: [{ title: 'TODO: one' }] });
  expect(filtered?.usage?.cost?.price?.inputPerMillion).toBe(0.05);
  expect(server.requests.map(({ body }) => Object(body).model)).toEqual(['gpt-5-nano']);
});

testInTurn(
  'I9 a model asked for ideas knows the files, what was found and the aim; what it costs is counted',
  async () => {
    const ideas = [{ title: 'Say which file is missing', summary: 'In a.js.', score: 0.8, file: 'a.js' }];
    const { model, prompts } = answering(JSON.stringify(ideas));
    const phases = { experiment: { enabled: false }, discovery: { sources: ['todos' as const, 'ideas' as const] } };
    const { listed } = await nights({ files: FILES, phases, loops: { model } });
    const { discoveries, usage, canChange } = discoveredIn(await listed());
    expect(discoveries[0]).toMatchObject({ source: 'ideas', relevanceScore: 0.8, file: 'a.js' });
    expect(usage).toMatchObject({ inputTokens: 70, outputTokens: 7 });
    expect(canChange).toBe(true);
    for (const known of ['b.js', 'TODO: two', 'Keep it small.']) expect(prompts[0]).toContain(known);
  },
);

testInTurn('I9 ideas that are not the JSON that was asked for are a fault of their source alone', async () => {
  const { model } = answering('Here are my ideas: none.');
  const phases = { experiment: { enabled: false }, discovery: { sources: ['todos' as const, 'ideas' as const] } };
  const { listed } = await nights({ files: FILES, phases, loops: { model } });
  const { sources, usage } = discoveredIn(await listed());
  expect(sources).toMatchObject([
    { source: 'todos', found: 2 },
    { source: 'ideas', found: 0, fault: { code: 'ideas_unreadable' } },
  ]);
  expect(usage).toMatchObject({ inputTokens: 70 });
});
