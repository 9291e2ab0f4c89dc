import { describe, expect, test } from 'vitest';
import { Loops } from '../../../src/hosts/local/loops.ts';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import { loopLogic } from '../../../src/hosts/xstate/loop-logic.ts';
import { memoryLog } from '../../../src/log/memory/engine.ts';

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
    [{ log, strategyLimitMs: '60s' }, 'strategyLimitMs', 'milliseconds', ''],
    [{}, 'log', 'a log, such as memoryLog()', ''],
    [undefined, 'options', 'the options of Loops', ''],
  ])('%o', (options, field, expected, hint) => {
    const said = refusal(options);
    expect(said).toContain(`OptionsError: ${field}: expected ${expected}, found`);
    expect(said).toContain(hint);
    expect(said).not.toContain('--');
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

test.each([
  [{ prompt: 'x', maxStep: 3 }, 'maxSteps'],
  [{ prompt: 'x', checks: [{ command: 'true', timeout: 3 }] }, 'timeoutMs'],
  [{ prompt: 'x', strategy: { name: 'hybrid', config: { baseIteration: 2 } } }, 'baseIterations'],
])('a run is not started with an option that it does not have: %j', async (options, meant) => {
  const start = new Loops({ log }).start(options as { prompt: string });
  await expect(start).rejects.toThrow(`Did you mean ${meant}?`);
});
