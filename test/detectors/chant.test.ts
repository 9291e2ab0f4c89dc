import { describe, expect, onTestFinished, test } from 'vitest';
import { endpointOf } from '../../src/actors/model/endpoint.ts';
import { providerModel } from '../../src/actors/model/provider-model.ts';
import { chant } from '../../src/detectors/chant.ts';
import { modelServer } from '../support/model-server/server.ts';
import type { ServerScript } from '../support/model-server/script.ts';
import { createHarness } from '../support/harness.ts';
import { note } from '../support/stand-ins.ts';
import * as has from '../support/facts.ts';
import { call, foundIn, levelsIn, read, says, saysAndAsks, steered } from './turn-story.ts';

const SENTENCE = 'I will look at the file once more to be certain about this. ';
const CHANT = SENTENCE.repeat(12);
const detector = chant();
const cutOff = {
  type: 'model.interrupted' as const,
  payload: { reason: 'x', text: CHANT, usage: { inputTokens: 1, outputTokens: 1 }, cause: 'chant' as const },
};

describe('D2b repeated text', () => {
  test('D2b the first repetition nudges, the second stops, with both as evidence', () => {
    expect(levelsIn(detector, [says(CHANT), says('better now'), says(CHANT)])).toEqual(['nudge at 1', 'stop at 3']);
    expect(foundIn(detector, [says(CHANT), says(CHANT)]).at(-1)).toMatchObject({
      count: 10,
      evidence: ['run-1/1', 'run-1/2'],
    });
  });

  test('D2b an answer that was cut off for repetition counts, one cut off for another cause does not', () => {
    expect(levelsIn(detector, [cutOff, cutOff])).toEqual(['nudge at 1', 'stop at 2']);
    const { cause: _cause, ...payload } = cutOff.payload;
    expect(levelsIn(detector, [{ type: 'model.interrupted', payload }, has.modelRetried, has.modelFailed])).toEqual([]);
  });

  test('D2b a repetition may span several answers, and a call ends the text', () => {
    const part = SENTENCE.repeat(4);
    expect(levelsIn(detector, [says(part, 'length'), says(part, 'length'), says(part)])).toEqual(['nudge at 3']);
    expect(
      levelsIn(detector, [saysAndAsks(part, read('a')), saysAndAsks(part, read('b')), saysAndAsks(part, read('c'))]),
    ).toEqual([]);
    expect(levelsIn(detector, [saysAndAsks(CHANT, call('note'))])).toEqual(['nudge at 1']);
  });

  test('D2b a code block that an answer was cut in goes on in the next one', () => {
    const code = `${SENTENCE}\n`.repeat(12);
    expect(levelsIn(detector, [says(`\`\`\`\n${code}`, 'length'), says(`${code}\`\`\`\n`)])).toEqual([]);
    expect(levelsIn(detector, [says(`\`\`\`\n${code}`), says(code)])).toEqual(['nudge at 2']);
  });

  test('D2b only a user message makes the next repetition the first again', () => {
    expect(levelsIn(detector, [says(CHANT), steered, says(CHANT)])).toEqual(['nudge at 1', 'nudge at 3']);
    expect(levelsIn(detector, [says(CHANT), saysAndAsks('', call('note')), says(CHANT)])).toEqual([
      'nudge at 1',
      'stop at 3',
    ]);
  });
});

const DETECTORS = ['default', 'chant'];
/** The answer is cut in the middle, so the whole of it is never awaited. */
const ENDLESS = SENTENCE.repeat(2_000);

async function served(script: ServerScript) {
  const server = await modelServer(script);
  onTestFinished(server.close);
  const model = providerModel(
    endpointOf(
      'openai-compatible/scripted',
      {},
      { OPENAI_COMPATIBLE_BASE_URL: server.url, OPENAI_COMPATIBLE_API_KEY: 'k' },
    ),
  );
  return { server, harness: createHarness({ model, tools: [note] }) };
}

describe('D2b a stream that repeats a text', () => {
  test('D2b is cut, recorded as far as it came, told of, and answered again', async () => {
    const { server, harness } = await served({
      answers: [{ text: ENDLESS }],
      faults: [0, 1].map((request) => ({ request, delayMs: 1 })),
    });
    const { outcome, facts, run } = await harness.play({ detectors: DETECTORS, maxSteps: 5 });
    const cuts = facts.filter((fact) => fact.type === 'model.interrupted');
    expect(cuts).toHaveLength(2);
    for (const { payload } of cuts) {
      expect(payload).toMatchObject({ cause: 'chant', usage: { estimated: true } });
      expect(payload.text.length).toBeGreaterThan(500);
      expect(payload.text.length).toBeLessThan(ENDLESS.length / 10);
      expect(payload.usage.outputTokens).toBeGreaterThan(100);
    }
    expect(outcome).toMatchObject({
      ending: 'doom_loop',
      finding: { detector: 'chant', level: 'stop', evidence: cuts.map(({ version }) => `${run}/${version}`) },
    });
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('repeats the same text');
    expect(JSON.stringify(server.requests[1]?.body)).toContain('repeats the same text');
    await expect.poll(() => server.requests.map(({ end }) => end)).toEqual(['left', 'left']);
    const reasons = facts.flatMap((fact) => (fact.type === 'decision.made' ? [fact.payload.reason] : []));
    expect(reasons[1]).toBe('the answer was cut off: it said the same over and over');
  });

  test('D2b a model that heeds the nudge ends well', async () => {
    const harness = createHarness({
      model: ({ step }) => (step === 0 ? { text: ENDLESS, chunkCharacters: 40 } : { text: 'Here it is.' }),
    });
    const { outcome, answer } = await harness.play({ detectors: DETECTORS });
    expect(outcome.ending).toBe('success');
    expect(answer).toBe('Here it is.');
  });

  test('D2b without the detector, the whole answer is read', async () => {
    const harness = createHarness({ model: () => ({ text: ENDLESS, chunkCharacters: 400 }) });
    const { outcome, answer } = await harness.play({ detectors: ['default'] });
    expect(outcome.ending).toBe('success');
    expect(answer).toBe(ENDLESS);
  });

  test('D2b with numbers of its own it is cut by those', async () => {
    const harness = createHarness({ model: () => ({ text: SENTENCE.repeat(15), chunkCharacters: 10 }) });
    const patient = await harness.play({ detectors: [{ name: 'chant', config: { times: 20 } }] });
    expect(patient.outcome.ending).toBe('success');
    const keen = await harness.play({ detectors: [{ name: 'chant', config: { times: 3 } }] });
    expect(keen.outcome).toMatchObject({ ending: 'doom_loop', finding: { count: 3 } });
  });
});
