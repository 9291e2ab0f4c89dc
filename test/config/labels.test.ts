import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { RunSettings } from '../../machines/settings.ts';
import type { Ceilings } from '../../src/options/defaults.ts';
import { type KnownLoop, SHIPPED } from '../../src/config/loop-by-name.ts';
import type { RunOptions } from '../../src/config/options.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { faultSentence } from '../../src/options/config-fault.ts';

const OwnOptions = z.strictObject({
  label: z.string().nullable().default(null),
  completionPromise: z.string().nullable().default('TASK COMPLETE'),
  ceiling: z.int(),
  adaptive: z.boolean().default(false),
  believe: z.enum(['verified', 'promised']).default('verified'),
  context: z.enum(['fresh', 'continue']).default('fresh'),
  isFixed: z.boolean().optional(),
  isUnlimited: z.boolean().optional(),
});
type OwnOptions = z.output<typeof OwnOptions>;

/** What resolution has to know of the loop. */
const RALPH: KnownLoop = {
  id: 'ralph@1',
  settings: {
    bounds: ['maxIterations', 'maxTokens', 'maxTimeMs'],
    ofChildren: ['maxSteps', 'maxToolCalls'],
    options: OwnOptions,
  },
  strategyInput: true,
};
const loops = [...SHIPPED.filter(({ id }) => id !== RALPH.id), RALPH];

const resolving = (options: Partial<RunOptions>, ceilings: Partial<Ceilings> = {}) =>
  resolveSettings({ prompt: 'Fix the tests', ...options }, { loops, ceilings });

function chosen(options: Partial<RunOptions>, ceilings: Partial<Ceilings> = {}) {
  const resolution = resolving(options, ceilings);
  if (resolution.kind === 'refused') throw new Error(resolution.faults.map(faultSentence).join('; '));
  const { settings, warnings } = resolution;
  return { settings, warnings, options: settings.options as OwnOptions, limits: settings.limits };
}

const refusals = (options: Partial<RunOptions>) => {
  const resolution = resolving(options);
  return resolution.kind === 'refused' ? resolution.faults.map(faultSentence) : [];
};

describe('R1 a label chooses the loop', () => {
  test('R1 with its strategy, its maximum and its own options', () => {
    const { settings, options, warnings } = chosen({ labels: ['bug', 'Ralph-Wiggum-3'] });
    expect(settings).toMatchObject<Partial<RunSettings>>({
      loop: 'ralph',
      strategy: {
        name: 'ralph',
        config: { completionSignals: [], loopDetection: false, convergenceThreshold: null, minIterations: 1 },
      },
    });
    expect(settings.limits.maxIterations).toBe(3);
    expect(options).toEqual({
      label: 'Ralph-Wiggum-3',
      completionPromise: 'TASK COMPLETE',
      ceiling: 100,
      adaptive: false,
      believe: 'verified',
      context: 'fresh',
    });
    expect(warnings).toEqual([]);
  });

  test('R1 other labels beside it mean nothing, and the first of several wins with a warning', () => {
    const { limits, warnings } = chosen({ labels: ['bug', 'ralph-wiggum-3', 'ralph-wiggum-9'] });
    expect(limits.maxIterations).toBe(3);
    expect(warnings).toEqual(['label ralph-wiggum-9 is ignored: ralph-wiggum-3 comes first.']);
  });

  test('R1 labels of which none chooses a loop are refused with the forms that do', () => {
    expect(refusals({ labels: ['bug', 'ralph'] })).toEqual([
      "labels (--label): expected a label that chooses a loop: ralph-wiggum or ralph-wiggum-N, such as ralph-wiggum-5, found 'bug, ralph'",
    ]);
    expect(refusals({ labels: ['bug'], loop: 'ralph' })).toHaveLength(1);
    expect(refusals({ labels: [] })).toEqual([]);
  });

  test('R1 strategy ralph without a label is a loop of iterations', () => {
    const { settings } = chosen({ strategy: 'ralph' });
    expect(settings).toMatchObject({ loop: 'iteration', strategy: { name: 'ralph', config: {} } });
    expect(settings.options).toBeUndefined();
  });

  test('R1 the loop by its name has the same defaults, without a label', () => {
    const { options, limits, settings } = chosen({ loop: 'ralph' });
    expect(options).toMatchObject({ label: null, ceiling: 100 });
    expect(limits.maxIterations).toBe(10);
    expect(settings.strategy?.config).toMatchObject({ completionSignals: [] });
  });

  test('R1 another loop or another strategy beside a label is refused', () => {
    expect(refusals({ labels: ['ralph-wiggum'], loop: 'turn', strategy: 'hybrid' })).toEqual([
      "loop (--loop): expected no other loop: the label ralph-wiggum chooses the loop ralph, found 'turn'",
      "strategy (--strategy): expected no other strategy: the label ralph-wiggum has the strategy ralph, found 'hybrid'",
    ]);
    expect(refusals({ labels: ['ralph-wiggum'], loop: 'ralph', strategy: 'ralph' })).toEqual([]);
  });

  test('R1 the config of its strategy may still be given', () => {
    const { settings } = chosen({
      labels: ['ralph-wiggum'],
      strategy: { name: 'ralph', config: { windowSize: 5, loopDetection: true, maxIterations: 4 } },
    });
    expect(settings.strategy?.config).toEqual({
      completionSignals: [],
      loopDetection: true,
      convergenceThreshold: null,
      minIterations: 1,
      windowSize: 5,
    });
    expect(settings.limits.maxIterations).toBe(4);
  });
});

describe('R1 the maximum', () => {
  test.each<[string, Partial<RunOptions>, number]>([
    ['10 without a number', { labels: ['ralph-wiggum'] }, 10],
    ['the option before the label', { maxIterations: 7 }, 7],
    ['the ceiling for -0', { labels: ['ralph-wiggum-0'] }, 100],
    ['the ceiling for none', { maxIterations: 'none' }, 100],
    ['a lower ceiling for -0', { labels: ['ralph-wiggum-0'], options: { ceiling: 20 } }, 20],
    ['a lower ceiling for 10', { labels: ['ralph-wiggum'], options: { ceiling: 4 } }, 4],
  ])('R1 R3 is %s', (_what, options, maxIterations) => {
    const found = chosen({ labels: ['ralph-wiggum-3'], ...options });
    expect(found.limits.maxIterations).toBe(maxIterations);
    expect(found.warnings).toEqual([]);
  });

  test('R1 a label above the ceiling is reduced with a warning, an option above it is refused', () => {
    const { limits, warnings } = chosen({ labels: ['ralph-wiggum-500'] });
    expect(limits.maxIterations).toBe(100);
    expect(warnings).toEqual(['label ralph-wiggum-500: the ceiling is 100 iterations, so 100 is used.']);
    expect(refusals({ labels: ['ralph-wiggum'], maxIterations: 500 })).toEqual([
      'maxIterations (--max-iterations): expected a whole number of iterations, at most 100 (the ceiling), found 500',
    ]);
    expect(refusals({ labels: ['ralph-wiggum'], maxIterations: 21, options: { ceiling: 20 } })).toHaveLength(1);
  });

  test('R3 only the ceilings of the library raise the ceiling', () => {
    expect(refusals({ labels: ['ralph-wiggum'], options: { ceiling: 101 } })).toEqual([
      'options.ceiling: expected a whole number of iterations, 1 to 100, found 101',
    ]);
    expect(chosen({ labels: ['ralph-wiggum-0'] }, { iterations: 500 }).limits.maxIterations).toBe(500);
    expect(chosen({ labels: ['ralph-wiggum-0'] }, { iterations: null }).limits.maxIterations).toBe(100);
  });
});

describe('the options of the loop', () => {
  test('R2 R5 R9 are recorded with it', () => {
    const asked = { completionPromise: 'SHIPPED', context: 'continue', adaptiveIterations: true } as const;
    const { options } = chosen({ labels: ['ralph-wiggum'], ...asked, options: { believe: 'promised' } });
    expect(options).toMatchObject({
      completionPromise: 'SHIPPED',
      context: 'continue',
      adaptive: true,
      believe: 'promised',
    });
  });

  test('R2 there is no promise only where none is asked for', () => {
    expect(chosen({ labels: ['ralph-wiggum'], completionPromise: 'none' }).options.completionPromise).toBeNull();
    expect(refusals({ labels: ['ralph-wiggum'], completionPromise: ' ' })).toEqual([
      "completionPromise (--completion-promise): expected a phrase on one line, without < > or a backtick, at most 200 characters, found ' '",
    ]);
  });

  test.each<[string, Partial<RunOptions>]>([
    ['completionPromise (--completion-promise)', { completionPromise: 'SHIPPED' }],
    ['context (--context)', { context: 'fresh', strategy: 'ralph' }],
    ['adaptiveIterations (--adaptive-iterations)', { adaptiveIterations: false, loop: 'turn' }],
  ])('R1 %s without a label is refused with the remedy', (field, options) => {
    const [refusal = '', ...others] = refusals(options);
    expect(refusal).toContain(`${field}: expected a label with it that chooses its loop, such as --label ralph-wiggum`);
    expect(others).toEqual([]);
  });

  test('R1 may be given among its own options, but not in both places', () => {
    const own = { completionPromise: 'SHIPPED', context: 'continue', adaptive: true };
    expect(chosen({ loop: 'ralph', options: { ...own, label: 'x' } }).options).toMatchObject({ ...own, label: 'x' });
    const both = { completionPromise: 'none', context: 'continue', adaptiveIterations: true } as const;
    expect(refusals({ labels: ['ralph-wiggum'], options: { ...own, label: 'x' }, ...both })).toEqual([
      "options.completionPromise: expected nothing here: the option completionPromise says it already, found 'SHIPPED'",
      "options.context: expected nothing here: the option context says it already, found 'continue'",
      'options.adaptive: expected nothing here: the option adaptiveIterations says it already, found true',
      "options.label: expected nothing here: the option labels says it already, found 'x'",
    ]);
  });
});

describe('R3 a loop that neither a promise nor a check can end', () => {
  const warned = (options: Partial<RunOptions>) =>
    chosen({ labels: ['ralph-wiggum-3'], ...options }).warnings.filter((text) => text.includes('only a limit ends'));

  test.each<Partial<RunOptions>>([
    { completionPromise: 'none' },
    { completionPromise: 'NONE' },
    { options: { completionPromise: null } },
    { options: { completionPromise: 'None' } },
  ])('R3 is warned of, with its maximum: %o', (options) =>
    expect(warned(options)).toEqual([expect.stringContaining('after 3 iterations at the latest')]),
  );

  test.each<Partial<RunOptions>>([
    {},
    { completionPromise: 'none', checks: ['npm test'] },
    { completionPromise: 'none at all' },
    { options: { completionPromise: 'DONE' } },
  ])('R3 another is not: %o', (options) => expect(warned(options)).toEqual([]));

  test('R2 no promise is asked for, in any letter case', () =>
    expect(chosen({ labels: ['ralph-wiggum'], completionPromise: 'NONE' }).options.completionPromise).toBeNull());
});

test('R1 a label that chooses no loop is named before every other fault', () =>
  expect(refusals({ labels: ['ralph-wiggum-abc'], model: '' })).toEqual([
    expect.stringMatching(/^labels .*found 'ralph-wiggum-abc'$/),
    expect.stringMatching(/^model /),
  ]));
