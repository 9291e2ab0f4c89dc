import { expect, test } from 'vitest';
import type { ModelRequest } from '../../src/actors/model/model.ts';
import { history, playhouse, type PlayhouseOptions } from '../support/playhouse.ts';

const usage = { inputTokens: 100, outputTokens: 10 };
const delegating = { loop: 'turn', tools: ['delegate', 'note', 'finish'] } as const;
const handed = (task: string, more: object = {}) => ({ tool: 'delegate', arguments: { task, ...more } });

/** What the task of the run is that is asked. */
const taskOf = ({ messages: [first] }: ModelRequest): string => (first?.role === 'user' ? first.text : '');
const heard = ({ messages }: ModelRequest): string[] => messages.flatMap((one) => (one.role === 'tool' ? [one.output] : []));

test('work is handed over to a run of its own, whose answer is what the call comes to', async () => {
  const requests: ModelRequest[] = [];
  const house = playhouse({
    model: (request) => {
      requests.push(request);
      if (taskOf(request) !== 'Do it.') return { text: `${taskOf(request)}: done`, usage };
      return request.step === 0 ? { calls: [handed('Count'), handed('Weigh')], usage } : { text: 'all done', usage };
    },
  });
  const { run, outcome, answer, spend, facts } = await house.play(delegating);
  expect(outcome).toEqual({ ending: 'success', verified: null, partial: false });
  expect(answer).toBe('all done');
  expect(heard(requests.at(-1) as ModelRequest)).toEqual(['Count: done', 'Weigh: done']);
  const settled = facts.flatMap((fact) => (fact.type === 'child.settled' ? [fact.payload] : []));
  expect(spend).toEqual({ inputTokens: 400, outputTokens: 40, steps: 4, toolCalls: 2 });
  expect(settled).toHaveLength(2);
  void history; void run;
});
