import { describe, expect, test } from 'vitest';
import { MAX_PROMPT_CHARACTERS } from '../../src/config/options.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { refusals } from './resolved.ts';

const prompt = 'Fix the tests';

describe('what a person cannot ask of a run', () => {
  test('a fault carries its field, flag, value and what was expected', () =>
    expect(resolveSettings({ prompt, maxSteps: -1 })).toEqual({
      kind: 'refused',
      faults: [
        {
          field: 'maxSteps',
          flag: '--max-steps',
          value: -1,
          expected: "a whole number of steps, 0 or more, or 'none'",
          suggestion: null,
        },
      ],
    }));

  test.each([{}, { prompt: '' }, { prompt: ' \n\t' }, { prompt: 4 }, { prompt: '\uD800' }])(
    'no prompt: %j',
    (options) => expect(refusals(options)).toEqual([expect.stringMatching(/^prompt \(PROMPT\): expected a prompt/)]),
  );

  test.each([
    ['prompt', 'prompt (PROMPT): expected a prompt that says what to do, in at most 1000000 characters'],
    ['system', 'system (--system): expected a system prompt, in at most 1000000 characters'],
  ])('%s has an end', (option, sentence) => {
    expect(refusals({ prompt, [option]: 'x'.repeat(MAX_PROMPT_CHARACTERS) })).toEqual([]);
    const [refusal, ...others] = refusals({ prompt, [option]: 'x'.repeat(MAX_PROMPT_CHARACTERS + 1) });
    expect(others).toEqual([]);
    expect(refusal).toContain(sentence);
    expect(refusal?.length).toBeLessThan(300);
  });

  const caps = ['maxSteps', 'maxToolCalls', 'maxTokens', 'maxIterations', 'maxTime', 'graceMs'];
  const numbers = [-1, 2.5, NaN, Infinity, 2 ** 53, '-1', '2.5', '1e3', ' 5', 'many', '', null, true, []];
  test.each(caps.flatMap((cap) => numbers.map((value) => [cap, value] as const)))('%s: %j', (cap, value) => {
    const sentences = refusals({ prompt, [cap]: value });
    expect(sentences).toEqual([expect.stringMatching(new RegExp(`^${cap} \\(--`))]);
    expect(sentences[0]).toMatch(/expected a (whole number|time)/);
  });

  test.each(['maxToolCalls', 'maxTokens', 'maxIterations', 'maxTime'])('%s: 0 would do nothing', (cap) =>
    expect(refusals({ prompt, [cap]: 0 })).toHaveLength(1),
  );

  test('T8 zero steps and zero grace mean something', () =>
    expect(refusals({ prompt, maxSteps: 0, graceMs: 0 })).toEqual([]));

  test('digits are numbers, as flags and variables write them; a time needs its unit there', () => {
    const options = { prompt, maxSteps: '7', maxToolCalls: '8', maxTokens: '9', graceMs: '10', maxTime: '5s' };
    expect(resolveSettings(options)).toMatchObject({
      settings: { limits: { maxSteps: 7, maxToolCalls: 8, maxTokens: 9, maxTimeMs: 5_000 }, graceMs: 10 },
    });
    expect(refusals({ prompt, maxTime: '30' })).toHaveLength(1);
  });

  test.each([
    [{ maxStep: 3 }, 'maxStep (--max-step): expected a known option, found 3. Did you mean maxSteps?'],
    [{ verify: ['true'] }, "verify (--verify): expected a known option, found [ 'true' ]. Did you mean checks?"],
    [{ 'max-tokens': 3 }, 'max-tokens (--max-tokens): expected a known option, found 3. Did you mean maxTokens?'],
    [{ quux: 3 }, 'quux (--quux): expected a known option, found 3'],
    [
      { loop: 'turns' },
      "loop (--loop): expected 'turn', 'iteration', 'ralph', 'improvement' or 'contest', found 'turns'. Did you mean turn?",
    ],
    [{ tools: [''] }, "tools[0] (--tools): expected a tool's name, found ''"],
    [
      { strategy: 4 },
      "strategy (--strategy): expected a strategy's name, custom:PATH#NAME, or {name, config}, found 4",
    ],
    [
      { strategy: { name: 'a', conf: 1 } },
      'strategy.conf (--strategy): expected a known option, found 1. Did you mean config?',
    ],
    [
      { strategy: { name: 'a', config: { maxIterations: 0 } } },
      "strategy.config.maxIterations (--strategy): expected a whole number of iterations, 1 or more, or 'none', found 0",
    ],
    [{ checks: 'npm test' }, "checks (--verify): expected a list of checks, found 'npm test'"],
    [{ checks: ['L9:npm test'] }, "checks[0].level (--verify): expected L0, L1, L2 or L3, found 'L9:npm test'"],
    [{ checks: ['a', 'L1: '] }, "checks[1].command (--verify): expected a command, found 'L1: '"],
    [
      { checks: [{ command: 'a', leve: 'L1' }] },
      "checks[0].leve (--verify): expected a known option, found 'L1'. Did you mean level?",
    ],
  ])('%j', (options, sentence) => expect(refusals({ prompt, ...options })).toEqual([sentence]));

  test.each([null, 'Fix the tests', []])('%j are no options', (options) =>
    expect(refusals(options)).toEqual([expect.stringMatching(/^options: expected the options of a run, found /)]),
  );

  test('a strategy’s config is JSON that can be written', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const value of [new Date(0), undefined, () => 1, NaN, '\uD800', cycle]) {
      const sentences = refusals({ prompt, strategy: { name: 'mine', config: { value } } });
      expect(sentences).toEqual([expect.stringMatching(/^strategy\.config\.value .*expected a JSON value/)]);
    }
  });

  test('all faults are told at once', () => {
    expect(refusals({ prompt: '', maxSteps: -1, quux: 1 })).toHaveLength(3);
    expect(refusals({ prompt, maxSteps: 201, maxIterations: 101 })).toHaveLength(2);
  });
});
