import { z } from 'zod';
import { expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/actors/model/model.ts';
import type { ScriptedAnswer } from '../../../src/actors/model/script.ts';
import { defineTool } from '../../../src/actors/tools/tool.ts';
import type { Attendant } from '../../../src/ports/services.ts';
import { redecide } from '../../../src/redecide/redecide-run.ts';
import { history } from '../../support/run-history.ts';
import { factsOf, office } from './office.ts';

const USAGE = { inputTokens: 100, outputTokens: 10 };
const JUDGED = { inputTokens: 40, outputTokens: 4 };
const STOPS_AT = 4;
/** Ends a row of failing calls at the fourth, without a rung between. */
const DETECTORS = [{ name: 'failing-calls', config: { nudge: 2, refuse: 0, stop: STOPS_AT } }];

const build = defineTool({
  name: 'build',
  description: 'builds a part',
  input: z.strictObject({ part: z.int() }),
  effectClass: 'repeatable',
  run: ({ part }) => Promise.reject(new Error(`part ${part} does not fit`)),
});

const stuck = defineTool({ ...build, run: () => Promise.reject(new Error('the yard is closed')) });

interface Told {
  /** The answers of the judge, the first time and each time after it. */
  readonly says?: readonly ScriptedAnswer[];
  readonly judge?: string;
  readonly attendant?: Attendant;
  readonly detectors?: typeof DETECTORS;
  readonly maxTokens?: number;
  /** The steps before the model gives up. */
  readonly steps?: number;
  /** Each call brings the same error. */
  readonly alike?: boolean;
}

/** A turn whose calls all fail. */
async function failing({
  says = [],
  judge,
  attendant,
  detectors = DETECTORS,
  maxTokens,
  steps = 10,
  alike = false,
}: Told) {
  const asked: ModelRequest[] = [];
  const { start, log } = office(
    (request): ScriptedAnswer => {
      if (request.tools.length > 0) {
        if (request.step >= steps) return { text: 'I give up.', usage: USAGE };
        const text = 'I am nearly done, let me go on.';
        return { text, calls: [{ tool: 'build', arguments: { part: request.step } }], usage: USAGE };
      }
      asked.push(request);
      return says[asked.length - 1] ?? says.at(-1) ?? { error: { code: 'down', message: 'no such model' } };
    },
    { tools: [alike ? stuck : build], ...(attendant ? { attendant } : {}) },
  );
  const live = await start({
    tools: ['build'],
    detectors: [...detectors],
    maxSteps: 20,
    ...(judge === undefined ? {} : { judge }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  });
  const end = await live.done;
  if (end.kind !== 'ended') throw new Error(JSON.stringify(end));
  const decisions = (await factsOf(log, live.run, 'decision.made')).map(({ payload }) => payload);
  const opinions = decisions.flatMap((decision) => decision.opinions ?? []);
  return { end, asked, opinions, decisions, facts: await history(log, live.run) };
}

const says = (text: string): ScriptedAnswer => ({ text, usage: JUDGED });

test('D19 a judge that says to go on clears the count of that finding, and is asked again at the next', async () => {
  const { end, asked, opinions } = await failing({
    judge: 'the-judge',
    says: [says('GO ON\nEach part is another one.'), says('STOP\nNothing fits.')],
  });
  expect(opinions).toEqual([
    { detector: 'failing-calls', by: 'model', answer: 'go on', because: 'Each part is another one.' },
    { detector: 'failing-calls', by: 'model', answer: 'stop', because: 'Nothing fits.' },
  ]);
  expect(asked).toHaveLength(2);
  expect(end).toMatchObject({ outcome: { ending: 'doom_loop', finding: { count: STOPS_AT } } });
  expect(end.spend.steps).toBe(2 * STOPS_AT);
});

test('D19 a judge sees the recorded calls and results, and not what the agent says of itself', async () => {
  const { asked, end } = await failing({ judge: 'the-judge', says: [says('stop')] });
  const [message] = asked[0]?.messages ?? [];
  const text = message && 'text' in message ? message.text : '';
  expect(text).toContain('build {"part":3}');
  expect(text).toContain('failed: part 3 does not fit');
  expect(text).not.toContain('nearly done');
  expect(end).toMatchObject({ outcome: { ending: 'doom_loop' } });
});

test('D19 what a judge uses is spent by the run', async () => {
  const { end } = await failing({ judge: 'the-judge', says: [says('go on'), says('stop')] });
  expect(end.spend.inputTokens).toBe(2 * STOPS_AT * USAGE.inputTokens + 2 * JUDGED.inputTokens);
});

test('D19 of several findings at once each is asked about, and all that the judge uses is spent', async () => {
  const both = [...DETECTORS, { name: 'same-result', config: { nudge: 2, refuse: 0, stop: STOPS_AT } }];
  const { end, opinions } = await failing({
    judge: 'the-judge',
    detectors: both as typeof DETECTORS,
    says: [says('go on'), says('stop')],
    alike: true,
  });
  expect(opinions.map(({ answer }) => answer)).toEqual(['go on', 'stop']);
  expect(new Set(opinions.map(({ detector }) => detector)).size).toBe(2);
  expect(end.spend.inputTokens).toBe(STOPS_AT * USAGE.inputTokens + 2 * JUDGED.inputTokens);
});

test.each([
  ['answers neither', [says('It depends: GO ON or STOP.')]],
  ['does not answer', []],
  ['answers nothing', [says('')]],
])('D19 without help of a judge that %s the finding ends the run', async (_, answers) => {
  const { end, opinions } = await failing({ judge: 'the-judge', says: answers });
  expect(opinions).toEqual([]);
  expect(end).toMatchObject({ outcome: { ending: 'doom_loop' } });
  expect(end.spend.steps).toBe(STOPS_AT);
});

test('D19 a judge that costs more than is left is not asked', async () => {
  const { end, asked } = await failing({ judge: 'the-judge', says: [says('go on')], maxTokens: 600 });
  expect(asked).toEqual([]);
  expect(['doom_loop', 'budget']).toContain(end.outcome.ending);
});

test('D19 a person at the terminal is asked where there is no judge, once a finding', async () => {
  const questions: unknown[] = [];
  const { opinions, end } = await failing({
    attendant: async (question) => {
      questions.push(question);
      return questions.length === 1 ? { answer: 'go on', because: '' } : { answer: 'stop', because: 'enough' };
    },
  });
  expect(questions).toMatchObject([{ detector: 'failing-calls' }, { detector: 'failing-calls' }]);
  expect(opinions.map(({ by, answer }) => [by, answer])).toEqual([
    ['person', 'go on'],
    ['person', 'stop'],
  ]);
  expect(end.spend.steps).toBe(2 * STOPS_AT);
});

test('D19 where no person is there, the finding ends the run without a wait', async () => {
  const { opinions, end } = await failing({ attendant: async () => null });
  expect(opinions).toEqual([]);
  expect(end).toMatchObject({ outcome: { ending: 'doom_loop' } });
});

test('T7 D19 identical calls have no rungs: no person is asked about them', async () => {
  const identical = [{ name: 'identical-calls', config: { threshold: 3, results: 'count' } }] as never;
  const attendant: Attendant = () => Promise.reject(new Error('asked'));
  const { start } = office(() => ({ calls: [{ tool: 'build', arguments: { part: 1 } }], usage: USAGE }), {
    tools: [build],
    attendant,
  });
  const end = await (await start({ tools: ['build'], detectors: identical, maxSteps: 20 })).done;
  expect(end).toMatchObject({ outcome: { ending: 'doom_loop', finding: { detector: 'identical-calls', count: 3 } } });
});

test('D19 an opinion is a fact: a run with opinions is judged again without a model', async () => {
  const { facts } = await failing({ judge: 'the-judge', says: [says('go on'), says('stop')] });
  const same = await redecide(facts);
  expect(same.conclusion).toBe('agrees');
  const stricter = await redecide(facts, {
    detectors: [{ name: 'failing-calls', config: { nudge: 2, refuse: 0, stop: 3 } }, 'identical-calls'],
  });
  expect(stricter.conclusion).toBe('stops_earlier');
});
