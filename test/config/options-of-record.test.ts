import { expect, test } from 'vitest';
import type { RunOptions } from '../../src/config/options.ts';
import { recordedOptions } from '../../src/config/options-of-record.ts';
import { resolveSettings } from '../../src/config/resolve.ts';

const settingsOf = (options: RunOptions) => {
  const resolved = resolveSettings(options);
  if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
  return resolved.settings;
};

test.each<readonly [string, Partial<RunOptions>]>([
  ['a turn', { loop: 'turn', system: 'You write.', maxSteps: 7, maxToolCalls: 'none', maxTime: '5m', maxCost: 1.25 }],
  ['how a model is asked', { effort: 'high', temperature: 0.5, maxAnswerTokens: 900, polling: ['gh run *'] }],
  ['a turn that only answers', { loop: 'turn', maxSteps: 0, tools: [], environment: ['CI'] }],
  [
    'attempts',
    { checks: ['npm test', { command: 'make', level: 'L2', network: true }], maxIterations: 4, graceMs: 900 },
  ],
  ['a strategy', { strategy: { name: 'hybrid', config: { maxBonusIterations: 1 } }, agent: 'Refactorer' }],
  ['the time alone', { checks: ['true'], maxIterations: 'none', maxTokens: 5_000, model: 'openai/gpt-5' }],
  ['a check that ships', { checks: ['clean-tree'], stateDirectory: 'state', ci: 'ci status', summaryTokens: 100 }],
])('G7 the options of a recorded run lead to the same settings: %s', (_name, options) => {
  const settings = settingsOf({ prompt: 'Do it.', directory: '/w', ...options });
  expect(settingsOf({ prompt: 'Do it.', ...recordedOptions(settings) })).toEqual(settings);
});

test('G7 a Ralph loop keeps its promise and its maximum', () => {
  const settings = settingsOf({ prompt: 'Do it.', labels: ['ralph-wiggum-4'], completionPromise: 'SHIPPED' });
  const again = settingsOf({ prompt: 'Do it.', ...recordedOptions(settings) });
  expect(again).toMatchObject({
    loop: 'ralph',
    limits: { maxIterations: 4 },
    options: { completionPromise: 'SHIPPED' },
    strategy: settings.strategy,
  });
});

test('G7 what a proof was asked to be is kept, and what belongs to the one run is not', () => {
  const settings = settingsOf({ prompt: 'Do it.', checks: ['npm test'] });
  const proof = {
    base: 'b',
    at: '2026-03-01T12:00:00.000Z',
    head: null,
    protect: ['checks/**'],
    unprotect: [],
    dependencies: ['vendor'],
    provided: [{ path: '.env', sha256: 'd' }],
    requireRed: true,
    legs: 'base',
  } as const;
  const isolation = {
    kind: 'worktree',
    origin: '/w',
    top: '/w/t',
    repository: '/w/.git',
    base: 'b',
    commit: 'c',
    dependencies: [],
  } as const;
  const recorded = recordedOptions({
    ...settings,
    proof: { ...proof, protect: [...proof.protect], unprotect: [], dependencies: ['vendor'], provided: [] },
    isolation: { ...isolation, dependencies: [] },
    system: 'The date is …',
    systemVersion: 'coder@1',
    history: [{ role: 'user', text: 'Before.' }],
  });
  expect(recorded).toMatchObject({
    directory: '/w',
    isolate: 'worktree',
    isolateFrom: 'HEAD',
    protect: ['checks/**'],
    deps: ['vendor'],
    requireRed: true,
    legs: 'base',
  });
  expect(recorded).not.toHaveProperty('system');
  expect(recorded).not.toHaveProperty('history');
});

test('V15 what a run was to accept, a run that continues it is to accept, too', () => {
  const options = { prompt: 'Do it.', checks: ['npm test'] };
  const settings = settingsOf({ ...options, accept: 'weak' });
  expect(settings.accept).toBe('weak');
  expect(settingsOf({ prompt: 'More.', ...recordedOptions(settings) }).accept).toBe('weak');
  expect(settingsOf(options)).not.toHaveProperty('accept');
});
