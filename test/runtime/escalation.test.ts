import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { Model, ModelRequest } from '../../src/actors/model/model.ts';
import { type AnyScript, scriptedModel } from '../../src/actors/model/model-script.ts';
import type { Seen } from '../support/observers.ts';
import { noticing } from '../support/noticing.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import type { HarnessOptions } from '../support/harness-options.ts';
import { note, tool, verdicts } from '../support/stand-ins.ts';

const call = (number = 1, name = 'note') => ({ tool: name, arguments: { number } });
const calling = (...numbers: number[]) => ({ calls: numbers.map((number) => call(number)) });
const text = { text: 'done' };

/** A model that plays a script and remembers what it was given. */
function listening(script: AnyScript): { readonly model: Model; readonly requests: ModelRequest[] } {
  const inner = scriptedModel(script);
  const requests: ModelRequest[] = [];
  const answer: Model['answer'] = (request, given) => {
    requests.push(request);
    return inner.answer(request, given);
  };
  return { model: { ...inner, answer }, requests };
}

const said = ({ messages }: ModelRequest): string[] =>
  messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
const results = ({ messages }: ModelRequest): string[] =>
  messages.flatMap((message) => (message.role === 'tool' ? [message.output] : []));

const of = <Type extends LoopEvent['type']>(facts: readonly Seen[], type: Type): Seen<Type>[] =>
  facts.filter((fact): fact is Seen<Type> => fact.type === type);
const findingsIn = (facts: readonly Seen[]) =>
  of(facts, 'decision.made').map(({ payload }) =>
    (payload.findings ?? []).map(({ detector, level }) => `${detector} ${level}`),
  );

function harnessWith(script: AnyScript, more: Partial<HarnessOptions> = {}) {
  const { model, requests } = listening(script);
  return { harness: createHarness({ model, tools: [note], ...more }), requests };
}

describe('a nudge', () => {
  test('D2a a nudge is recorded with the decision, is in the very next request, and is said once', async () => {
    const { harness, requests } = harnessWith({ answers: [calling(1), calling(1), calling(2), calling(3), text] });
    const { facts, outcome } = await harness.play();
    expect(outcome.ending).toBe('success');
    expect(findingsIn(facts)).toEqual([[], [], ['cycles nudge'], [], [], []]);
    const [nudge] = of(facts, 'decision.made').flatMap(({ payload }) => payload.findings ?? []);
    expect(nudge?.message).toBe('the same call 2 times in a row: note');
    const words = `You may be going in circles: ${nudge?.message}. Try something else.`;
    expect(requests.map((request) => said(request).at(-1))).toEqual(['Do it.', 'Do it.', words, words, words]);
    expect(said(requests.at(-1) as ModelRequest)).toEqual(['Do it.', words]);
  });

  test('D1b the second failure of one call is a nudge', async () => {
    const failing = tool('note', () => Promise.reject(new Error('no')));
    const { harness, requests } = harnessWith({ answers: [calling(1), calling(1), text] }, { tools: [failing] });
    const { facts } = await harness.play();
    expect(findingsIn(facts)[2]).toEqual(expect.arrayContaining(['repeated-error nudge']));
    expect(said(requests[2] as ModelRequest).at(-1)).toContain('the same call has failed 2 times in a row: note');
  });

  test('in a loop of attempts it is in the prompt of the next attempt', async () => {
    const { harness, requests } = harnessWith(() => text, {
      detectors: [noticing('verification.completed', 'nudge')],
      services: { verify: verdicts(false, true) },
    });
    const { facts } = await harness.play({ checks: ['true'] });
    expect(findingsIn(facts)).toEqual([[], ['own nudge'], ['own nudge']]);
    expect(said(requests[0] as ModelRequest).join()).not.toContain('own says nudge');
    expect(said(requests[1] as ModelRequest).join()).toContain('You may be going in circles: own says nudge.');
  });
});

describe('a block', () => {
  const patient = { name: 'identical-calls', config: { threshold: 9 } };

  test('D3 a block answers the calls, says why, and no tool runs', async () => {
    let ran = 0;
    const counting = tool('note', async () => ({ output: `noted ${(ran += 1)}` }));
    const { harness, requests } = harnessWith({ answers: [calling(1, 1, 1, 2), text] }, { tools: [counting] });
    const { facts, outcome, spend } = await harness.play({ detectors: ['off', patient, 'same-message'] });
    const [admission] = of(facts, 'calls.admitted');
    const [finding] = admission?.payload.findings ?? [];
    expect(finding).toMatchObject({ detector: 'same-message', level: 'block', calls: expect.any(Array) });
    expect(admission?.payload.refused.map(({ callId }) => callId)).toEqual(finding?.calls);
    expect(finding?.calls?.length).toBeGreaterThan(0);
    expect(ran).toBe(4 - (finding?.calls?.length ?? 0));
    expect(spend.toolCalls).toBe(ran);
    const refused = results(requests[1] as ModelRequest).filter((output) => output.startsWith('refused: '));
    expect(refused).toEqual(finding?.calls?.map(() => `refused: ${finding.message}`));
    expect(outcome.ending).toBe('success');
  });

  test('what is blocked costs nothing of the budget, and the run goes on', async () => {
    const { harness } = harnessWith(
      { answers: [calling(1, 2, 3), text] },
      { detectors: [noticing('model.completed', 'block')] },
    );
    const { outcome, spend } = await harness.play({ maxToolCalls: 1 });
    expect([outcome.ending, spend.toolCalls]).toEqual(['success', 0]);
  });
});

describe('a stop', () => {
  const pair = [calling(1), calling(2)];
  const round = { answers: [...pair, ...pair, ...pair, ...pair, ...pair, text] };

  test('D2a a stop is the ending doom_loop: evidence that is in the log, a summary that says why', async () => {
    const { harness, requests } = harnessWith(round);
    const { facts, outcome, run } = await harness.play();
    expect(outcome).toMatchObject({ ending: 'doom_loop', finding: { detector: 'cycles', level: 'stop', count: 5 } });
    const finding = outcome.ending === 'doom_loop' ? outcome.finding : null;
    const ids = new Map(facts.map((fact) => [`${fact.run}/${fact.version}`, fact.type]));
    expect(finding?.evidence.map((id) => ids.get(id))).toEqual(Array.from({ length: 10 }, () => 'model.completed'));
    expect(of(facts, 'decision.made').at(-1)?.payload).toMatchObject({
      evidence: finding?.evidence,
      reason: finding?.message,
    });
    expect(of(facts, 'summary.written')[0]?.payload.text).toContain('the same 2 calls in turn, 5 times: note, note');
    expect(requests).toHaveLength(10);
    expect(await harness.log.run(run)).toMatchObject({ closed: 'doom_loop' });
  });

  test('D6a attempts that change nothing stop a loop', async () => {
    const { harness, requests } = harnessWith(() => text, {
      services: {
        verify: verdicts(false),
        capture: {
          effectClass: () => 'repeatable',
          async *execute() {
            yield { type: 'workspace.captured', payload: { hash: 'tree', ref: null, changed: [] } };
          },
        },
      },
    });
    const { outcome, facts } = await harness.play({ checks: ['true'], maxIterations: 9 });
    expect(outcome).toMatchObject({ ending: 'doom_loop', finding: { detector: 'workspace-hash', count: 3 } });
    expect(requests).toHaveLength(3);
    expect(outcome.ending === 'doom_loop' && outcome.finding.evidence).toEqual(
      of(facts, 'verification.completed').map((fact) => `${fact.run}/${fact.version}`),
    );
  });

  test('T7 a continuation starts with nothing held against it', async () => {
    const { harness } = harnessWith({ answers: [calling(1), calling(1), calling(1), calling(1), calling(1), text] });
    const first = await harness.play();
    expect(first.outcome).toMatchObject({ ending: 'doom_loop', finding: { count: 3 } });
    const second = await harness.extend(first.run);
    expect((await ended(second)).outcome.ending).toBe('success');
    const facts = await history(harness.log, second.run);
    expect(findingsIn(facts.filter(({ run }) => run === second.run))).toEqual([[], [], ['cycles nudge'], []]);
  });
});

test('an observation is recorded and changes nothing', async () => {
  const script = { answers: [calling(1), calling(2), text] };
  const [plain, watched] = [
    harnessWith(script),
    harnessWith(script, { detectors: [noticing('model.completed', 'observe')] }),
  ];
  const [without, withIt] = [await plain.harness.play(), await watched.harness.play()];
  expect(findingsIn(withIt.facts)).toEqual([[], ['own observe'], ['own observe'], ['own observe']]);
  expect(findingsIn(without.facts).flat()).toEqual([]);
  expect(withIt.facts.map(({ type }) => type)).toEqual(without.facts.map(({ type }) => type));
  expect(watched.requests.map(({ messages }) => messages)).toEqual(plain.requests.map(({ messages }) => messages));
  expect(withIt.outcome).toEqual(without.outcome);
});

describe('precedence: abort, success, cap_hit, doom_loop, budget', () => {
  const always = { detectors: [noticing('model.completed', 'stop')] };

  test.each([
    ['success beats a stop', { answers: [text] }, { maxSteps: 1 }, 'success'],
    ['a cap beats a stop', { answers: [calling(1), text] }, { maxSteps: 1 }, 'cap_hit'],
    ['a stop beats a budget', { answers: [calling(1), text] }, { maxToolCalls: 1 }, 'doom_loop'],
    ['a stop beats going on', { answers: [calling(1), text] }, {}, 'doom_loop'],
  ] as const)('%s', async (_what, script, limits, ending) => {
    const { harness } = harnessWith(script as unknown as AnyScript, always);
    const { outcome, facts } = await harness.play(limits);
    expect(outcome.ending).toBe(ending);
    expect(findingsIn(facts).at(-1)).toEqual(['own stop']);
  });

  test('an abort beats a stop', async () => {
    const { harness } = harnessWith(
      { answers: [{ calls: [call(1, 'long')] }] },
      {
        ...always,
        tools: [
          tool('long', async (_input, { signal, delta }) => {
            delta('long');
            await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
            return { output: 'stopped' };
          }),
        ],
      },
    );
    const playing = await harness.start();
    await playing.observer.untilDelta(({ text: heard }) => heard === 'long');
    await playing.abort();
    expect((await ended(playing)).outcome.ending).toBe('abort');
  });
});
