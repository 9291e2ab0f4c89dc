import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { defineTool } from '../../../src/actors/tools/tool.ts';
import type { Detector } from '../../../src/detectors/detector.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import { systemClock } from '../../../src/actors/timer/clock.ts';
import { builtInStrategies } from '../../../src/strategies/registry.ts';
import type { OptionsError } from '../../../src/app/start/options-error.ts';
import { loopLogic } from '../../../src/hosts/xstate/loop-logic.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { testInTurn } from '../../support/in-turn.ts';

const TOOL = 'a tool, as defineTool returns it: name, description, input and run';
const weigh = defineTool({
  name: 'weigh',
  description: 'Weighs.',
  input: z.strictObject({}),
  run: async () => ({ output: '1 g' }),
});

/** Options as a program without types may give them. */
const given = (options: object | undefined) => options as unknown as LoopsOptions;
const refusal = (options: object | undefined) => {
  try {
    void new Loops(given(options));
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : error;
  }
};
const log = memoryLog();

describe('an option that Loops does not have is refused at once', () => {
  test.each([
    [{ log, modle: {} }, 'modle', 'a known option', 'Did you mean model?'],
    [{ log, detector: [] }, 'detector', 'a known option', 'Did you mean detectors?'],
    [{ log, maxSteps: 5 }, 'maxSteps', 'a known option', ''],
    [{ log, ceilings: { step: 9 } }, 'ceilings.step', 'a known option', 'Did you mean steps?'],
    [{ log, ceilings: { steps: 'many' } }, 'ceilings.steps', 'a whole number, or null for none', ''],
    [
      { log, providers: { mine: { baseURL: 'http://localhost' } } },
      'providers.mine.baseURL',
      'a known option',
      'Did you mean baseUrl?',
    ],
    [{ log, tools: {} }, 'tools', 'a list of tools', ''],
    [{ log, tools: [{}] }, 'tools[0]', TOOL, ''],
    [{ log, tools: [{ ...weigh, input: {} }] }, 'tools[0]', TOOL, ''],
    [
      { log, model: {} },
      'model',
      'a model: its name, one of the AI SDK (specification v2, v3 or v4), or { name, answer }',
      '',
    ],
    [{ log, detectors: [{}] }, 'detectors[0]', 'a detector: name, and init and step as functions', ''],
    [{ log, strategies: {} }, 'strategies', 'a registry, such as builtInStrategies()', ''],
    [{ log, clock: {} }, 'clock', 'a clock: now and sleepUntil, as functions', ''],
    [{ log, secrets: ['abc'] }, 'secrets[0]', 'a secret: { name, value }', ''],
    [{ log, secrets: [{ name: 'KEY' }] }, 'secrets[0].value', 'a secret: { name, value }', ''],
    [{ log: {} }, 'log', 'a log, such as memoryLog()', ''],
    [{ log, strategyLimitMs: '60s' }, 'strategyLimitMs', 'milliseconds', ''],
    [{}, 'log', 'a log, such as memoryLog()', ''],
    [undefined, 'options', 'the options of Loops', ''],
  ])('%o', (options, field, expected, hint) => {
    const said = refusal(options);
    expect(said).toContain(`OptionsError: ${field}: expected ${expected}, found`);
    expect(said).toContain(hint);
    expect(said).not.toContain('--');
  });

  test('no secret is repeated', () => {
    expect(refusal({ log, secrets: ['hidden-in-here'] })).toContain("found 'a string'");
    expect(refusal({ log, secrets: { name: 'KEY', value: 'hidden-in-here' } })).not.toContain('hidden');
  });

  test('every one of them is named', () => {
    expect(refusal({ log, modle: 1, tool: [] })).toMatch(/modle.*\n.*tool: /);
  });

  test('as actor logic too', () => {
    expect(() => loopLogic(given({ log, modle: {} }))).toThrow('Did you mean model?');
  });
});

test('an option that is undefined counts as not given', () => {
  const absent = { model: undefined, ceilings: undefined, providers: undefined, tools: undefined, warn: undefined };
  expect(refusal({ log, ...absent })).toBeNull();
});

test('whole parts of a program are taken as they are', () => {
  const detector: Detector<null> = { name: 'none', init: () => null, step: (state) => ({ state }) };
  const given = { tools: [weigh], detectors: [detector], strategies: builtInStrategies(), clock: systemClock };
  const secrets = [{ name: 'KEY', value: 'hidden-in-here' }];
  expect(refusal({ log, ...given, model: scriptedModel({ answers: [{ text: 'done' }] }), secrets })).toBeNull();
});

test.each([
  [{ prompt: 'x', maxStep: 3 }, 'maxSteps'],
  [{ prompt: 'x', checks: [{ command: 'true', timeout: 3 }] }, 'timeoutMs'],
  [{ prompt: 'x', strategy: { name: 'hybrid', config: { baseIteration: 2 } } }, 'baseIterations'],
  [{ prompt: 'x', tools: ['reed'] }, 'read'],
])('a run is not started with an option that it does not have: %j', async (options, meant) => {
  const start = new Loops({ log }).start(options as { prompt: string });
  await expect(start).rejects.toThrow(`Did you mean ${meant}?`);
});

test('a run may name the tools of its program', async () => {
  const loops = new Loops({ log: memoryLog(), tools: [weigh], model: scriptedModel({ answers: [{ text: 'done' }] }) });
  const { done } = await loops.start({ prompt: 'x', loop: 'turn', maxSteps: 1, tools: ['weigh', 'read'] });
  expect(await done).toMatchObject({ kind: 'ended' });
  await expect(loops.start({ prompt: 'x', tools: ['weihg'] })).rejects.toThrow('Did you mean weigh?');
});

testInTurn('a run is told which of its options are not used', async () => {
  const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers: [{ text: 'done' }] }) });
  const asked = { prompt: 'x', loop: 'turn', maxSteps: 1 };
  const other = await loops.start({ ...asked, model: 'openai/gpt-5', deps: ['node_modules'] });
  expect(other.warnings).toEqual([
    'model is not used: script answers for every run here, and the log names openai/gpt-5.',
    "deps is not used: it needs isolate 'worktree', or checkIn 'proof'.",
  ]);
  await other.done;
  const same = await loops.start({ ...asked, model: 'script', isolate: 'none', deps: ['node_modules'] });
  expect(same.warnings).toEqual([]);
  await same.done;
});

test.each([
  [{ webhooks: 'http://one.example/a-path-that-is-long' }, ['webhooks: expected a list of webhooks']],
  [{ checks: 'npm test' }, ['checks: expected a list of checks']],
  [
    { completionPromise: null },
    ["completionPromise: expected a phrase on one line, without < > or a backtick, at most 200 characters, or 'none'"],
  ],
])('a wrong option is one fault, which says what was expected: %j', async (asked, expected) => {
  const options = { prompt: 'x', ...asked } as unknown as { prompt: string };
  const starting = new Loops({ log }).start(options).catch((error: OptionsError) => error.faults);
  const faults = (await starting) as OptionsError['faults'];
  expect(faults.map((fault) => `${fault.field}: expected ${fault.expected}`)).toEqual(expected);
});
