import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../../../src/config/options.ts';
import { exitOf } from '../../../src/cli/terminal/exit-status.ts';
import { repository } from '../../git/repository.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { WIRES } from '../../support/model-server/on-each-wire.ts';
import type { ServerScript } from '../../support/model-server/script.ts';
import { runOn } from './run-on.ts';

// Each of these ends asked for another answer up to the cap of steps, 200 times.

const turnOn = (model: string, answers: ServerScript['answers'], more: Partial<RunOptions> = {}) =>
  runOn(model, { answers }, more);

describe.each(WIRES)('%s', (model) => {
  test('G4 an answer cut by its length is continued three times, then the turn ends in abort', async () => {
    const parts = ['First', 'second', 'third', 'fourth'].map((text) => ({ text, end: 'length' as const }));

    const { outcome, requests } = await turnOn(model, [...parts, { text: 'never asked for' }]);

    expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: 'answer-cut' } });
    expect(requests).toHaveLength(4);
    expect(exitOf(outcome, false)).toBe(13);
  });

  test('G4 an answer that is whole in the end is the answer', async () => {
    const { outcome, requests } = await turnOn(model, [{ text: 'First half,', end: 'length' }, { text: ' second.' }]);

    expect(outcome).toMatchObject({ ending: 'success' });
    expect(requests).toHaveLength(2);
    expect(JSON.stringify(requests[1]?.body)).toContain('Go on from where it stops');
  });

  test('G4 an answer that begins anew after it was cut ends the turn', async () => {
    const { outcome, requests } = await turnOn(model, [{ text: 'I begin with the parser.', end: 'length' }]);

    expect(outcome).toMatchObject({ ending: 'abort', fault: { code: 'answer-cut' } });
    expect(requests).toHaveLength(2);
  });

  test('G4 a refusal or a filter is asked about once more, then the turn ends in abort', async () => {
    const codes = model.startsWith('openai') ? ['refusal', 'filter'] : ['filter'];
    for (const end of codes as ('refusal' | 'filter')[]) {
      const { outcome, requests } = await turnOn(model, [{ text: 'I cannot help with that.', end }]);

      const told = model.startsWith('anthropic') || end === 'refusal' ? 'refused' : 'filtered';
      expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: told } });
      expect(requests).toHaveLength(2);
    }
  });
});

test('G4 an answer that is cut in the middle of a call is cut, whatever its beginning', async () => {
  const halves = ['one', 'two', 'three', 'four', 'five'].map((content) => ({
    calls: [{ tool: 'write', rawArguments: `{"path": "${content}.txt", "content": "${content} and then` }],
    end: 'length' as const,
  }));

  const { outcome, requests } = await turnOn('openai-chat/m', halves, { tools: ['write'] });

  expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: 'answer-cut' } });
  expect(requests).toHaveLength(4);
});

test('G4 a window that is full in the middle of two answers in a row ends the turn', async () => {
  const { outcome, requests } = await turnOn('anthropic/m', [{ text: 'So far,', end: 'context' }]);

  expect(outcome).toMatchObject({ ending: 'abort', cause: 'error', fault: { code: 'context-full' } });
  expect(requests.length).toBeLessThanOrEqual(4);
});

testInTurn(
  'G4 for a loop of attempts none of them is more than a failed iteration, and the next is told why',
  async () => {
    const { root: directory } = await repository({ 'a.txt': 'a' });
    const cut = ['a', 'b', 'c', 'd'].map((text) => ({ text, end: 'length' as const }));

    const { outcome, requests, facts } = await turnOn('anthropic/m', [...cut, { text: 'Done.' }], {
      directory,
      loop: 'iteration',
      maxIterations: 2,
      checks: ['L1:test -f done.txt'],
    });

    expect(outcome).toMatchObject({ ending: 'cap_hit' });
    expect(facts.filter(({ type }) => type === 'iteration.started')).toHaveLength(2);
    expect(JSON.stringify(requests[4]?.body)).toContain('was cut off at its greatest length 4 times in a row');
  },
);

const reasonsIn = (facts: Awaited<ReturnType<typeof turnOn>>['facts']) =>
  facts.flatMap(({ type, payload }) => (type === 'decision.made' ? [(payload as { reason: string }).reason] : []));

const REFUSED: ServerScript['answers'] = [{ text: 'I cannot help with that.', end: 'refusal' }];
const MINE =
  "export const mine = { name: 'mine', onIterationComplete: async () => ({ continue: true, reason: 'more' }) };";

testInTurn.each<[string, Partial<RunOptions>]>([
  ['fixed', { loop: 'iteration', strategy: 'fixed' }],
  ['hybrid', { loop: 'iteration', strategy: 'hybrid' }],
  ['ralph', { loop: 'iteration', strategy: 'ralph' }],
  ['custom', { loop: 'iteration', strategy: 'custom:./mine.mjs#mine' }],
  ['the Ralph loop', { loop: 'ralph' }],
])('G4 every decision on a refused attempt names the refusal: %s', async (_judge, chosen) => {
  const { root: directory } = await repository({ 'a.txt': 'a', 'mine.mjs': MINE });

  const { outcome, facts } = await turnOn('openai-chat/m', REFUSED, {
    directory,
    checks: ['false'],
    checkIn: 'workspace',
    maxIterations: 2,
    ...chosen,
  });

  expect(outcome).toMatchObject({ ending: 'cap_hit' });
  const reasons = reasonsIn(facts);
  expect(reasons).toHaveLength(3);
  for (const reason of reasons.slice(1)) {
    expect(reason).toContain('; the attempt ended: The model refused to answer');
  }
});

testInTurn('G4 the Ralph loop tells the next attempt why the last one did not finish', async () => {
  const { root: directory } = await repository({ 'a.txt': 'a' });

  const { requests } = await turnOn('openai-chat/m', REFUSED, { directory, loop: 'ralph', maxIterations: 2 });

  const second = JSON.stringify(requests[2]?.body);
  expect(second).toContain('The attempt ended before it was finished: The model refused to answer twice in a row');
});

testInTurn('G4 a budget that ends an attempt and its loop is named once', async () => {
  const { root: directory } = await repository({ 'a.txt': 'a' });
  const look = { calls: [{ tool: 'list', arguments: {} }], usage: { inputTokens: 30_000, outputTokens: 1 } };

  const { outcome, facts } = await turnOn('openai-chat/m', [look], {
    directory,
    loop: 'iteration',
    checks: ['false'],
    checkIn: 'workspace',
    maxTokens: 30_000,
  });

  expect(outcome).toMatchObject({ ending: 'budget' });
  expect(reasonsIn(facts).at(-1)).toMatch(/^token budget exhausted \([^)]*\)(?!.*attempt ended)/);
});
