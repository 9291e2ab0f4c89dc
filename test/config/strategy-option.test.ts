import { describe, expect, test } from 'vitest';
import { CEILINGS } from '../../src/options/defaults.ts';
import { resolveSettings } from '../../src/config/resolve.ts';
import { refusals, resolved } from './resolved.ts';

const strategyOf = (strategy: unknown) =>
  resolved({ prompt: 'Do it.', strategy } as Parameters<typeof resolved>[0]).settings.strategy;

describe('L13 custom:PATH#NAME', () => {
  test.each([
    ['custom:./steady.mjs#Steady', './steady.mjs', 'Steady'],
    ['  custom:/abs/steady.ts#default ', '/abs/steady.ts', 'default'],
    ['custom:a#b/c.mjs#make', 'a#b/c.mjs', 'make'],
    ['custom:C:\\loops\\steady.mjs#Steady', 'C:\\loops\\steady.mjs', 'Steady'],
    ['custom: with space.mjs # Steady', 'with space.mjs', 'Steady'],
  ])('L13 %s is a module and what it exports', (text, modulePath, strategyName) => {
    expect(strategyOf(text)).toEqual({ name: 'custom', config: { modulePath, strategyName } });
  });

  test.each([
    'custom:',
    'custom:#',
    'custom:#Steady',
    'custom:./a.mjs',
    'custom:./a.mjs#',
    'custom:./a.mjs# ',
    'custom: #Steady',
    '',
    ' ',
  ])('L13 %j is refused with what it should be', (strategy) => {
    expect(refusals({ prompt: 'Do it.', strategy })).toEqual([
      expect.stringMatching(
        /^strategy \(--strategy\): expected a strategy's name, custom:PATH#NAME, or \{name, config\}, found '/,
      ),
    ]);
  });

  test('L13 it may take all the iterations there are, and its config may say how many', () => {
    const custom = {
      name: 'custom',
      config: { modulePath: './a.mjs', strategyName: 'A', config: { maxIterations: 7 } },
    };
    const { limits, strategy } = resolved({ prompt: 'Do it.', strategy: custom }).settings;
    expect(limits.maxIterations).toBe(CEILINGS.iterations);
    expect(strategy).toEqual(custom);
    const bounded = { ...custom, config: { ...custom.config, maxIterations: 4 } };
    expect(resolved({ prompt: 'Do it.', strategy: bounded }).settings.limits.maxIterations).toBe(4);
  });
});

describe('what is said of a strategy before there is a run', () => {
  const warningsOf = (options: object) => {
    const given = resolveSettings({ prompt: 'Do it.', ...options });
    return given.kind === 'settings' ? given.warnings : [];
  };
  const hybrid = (completionCriteria: readonly string[]) => ({
    strategy: { name: 'hybrid', config: { completionCriteria } },
  });

  test.each([{ strategy: 'fixed' }, hybrid(['verification_pass']), hybrid(['verification_pass', 'ci_pass'])])(
    'L6 L8 %j without checks ends at its last iteration, with a warning',
    (options) => {
      expect(warningsOf(options)).toEqual([
        expect.stringContaining('No check is configured, so nothing can end the loop before'),
      ]);
      expect(warningsOf({ ...options, checks: ['true'] })).toEqual([]);
    },
  );

  test.each([
    { strategy: 'ralph' },
    { strategy: 'hybrid' },
    hybrid(['agent_signal']),
    { strategy: 'custom:./a.mjs#A' },
    { ...hybrid(['ci_pass']), ci: 'ci' },
  ])('L8 L11 L13 %j may end before', (options) => expect(warningsOf(options)).toEqual([]));

  test('what only a loop of attempts uses is not used by a turn', () => {
    expect(warningsOf({ loop: 'turn', strategy: 'ralph', ci: 'ci-status' })).toEqual([
      expect.stringMatching(/^strategy is not used/),
      expect.stringMatching(/^ci is not used/),
    ]);
  });
});

describe('L15 the state directory', () => {
  test.each(['state', './state/deep', '.state', 'state..', '.gitignored', '.'])(
    'L15 %j is in the workspace',
    (stateDirectory) => {
      expect(resolved({ prompt: 'Do it.', stateDirectory }).settings.stateDirectory).toBe(stateDirectory);
    },
  );

  test.each([
    '/tmp/state',
    '../state',
    'a/../../b',
    '.git',
    '.GIT/state',
    'a/.git/b',
    '.loopfold',
    '.Loopfold/x',
    '~/state',
    'C:\\state',
    '\\\\host\\state',
    'a\0b',
    '',
  ])('L15 %j is not', (stateDirectory) => {
    expect(refusals({ prompt: 'Do it.', stateDirectory })).toEqual([
      expect.stringMatching(/^stateDirectory \(--state-directory\): expected a folder in the workspace/),
    ]);
  });
});
