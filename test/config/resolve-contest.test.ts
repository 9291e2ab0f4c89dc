import { describe, expect, test } from 'vitest';
import { configOfFlags } from '../../src/cli/args/run-flags.ts';
import { resolveSettings } from '../../src/config/resolve.ts';

const task = { prompt: 'Mend it.', checks: ['npm test'], maxIterations: 4, maxTokens: 1_000 };
const settingsOf = (options: object) => {
  const resolved = resolveSettings({ ...task, ...options });
  if (resolved.kind === 'refused') throw new Error(JSON.stringify(resolved.faults));
  return resolved;
};
const faultsOf = (options: object) => {
  const resolved = resolveSettings({ ...task, ...options });
  return resolved.kind === 'refused' ? resolved.faults.map(({ field, expected }) => `${field}: ${expected}`) : [];
};

describe('attempts that compete', () => {
  test('X6 each is the run that the options ask for without them, under one budget', () => {
    const alone = settingsOf({ agent: 'claude' }).settings;
    const { settings } = settingsOf({ attempts: 3, parallel: 9, agents: ['claude', 'codex/gpt-5'] });
    expect(settings).toMatchObject({ loop: 'contest', model: 'agent:claude', tools: [], strategy: null });
    expect(settings.limits).toMatchObject({ maxIterations: 3, maxTokens: 1_000, maxSteps: null });
    expect(settings.attemptLimits).toEqual(alone.attemptLimits);
    expect(settings.options).toEqual({
      parallel: 3,
      models: ['agent:claude', 'agent:codex/gpt-5'],
      attempt: { loop: 'iteration', maxIterations: 4, strategy: { name: 'fixed', config: {} } },
    });
  });

  test('X6 a label and a turn compete, too; models may take the place of agents', () => {
    expect(
      settingsOf({ attempts: 2, labels: ['ralph-wiggum-5'], maxIterations: undefined }).settings.options,
    ).toMatchObject({
      attempt: { loop: 'ralph', maxIterations: 5 },
    });
    const { settings, warnings } = settingsOf({
      agents: ['openai/a', 'openai/b'],
      checks: [],
      maxIterations: undefined,
    });
    expect(settings.limits.maxIterations).toBe(2);
    expect(settings.options).toMatchObject({ models: ['openai/a', 'openai/b'], attempt: { loop: 'turn' } });
    expect(warnings.join()).toMatch(/No check is configured, so nothing proves the winner/);
  });

  test('X6 an agent that is named several times is one of several', () => {
    expect(configOfFlags({ agent: ['claude', 'codex'] }).values).toEqual({ agents: ['claude', 'codex'] });
    expect(configOfFlags({ agent: ['claude'] }).values).toEqual({ agent: 'claude' });
  });

  test.each([
    [{ attempts: 0 }, 'attempts: a whole number of attempts, 1 to 20'],
    [{ attempts: 1_000 }, 'attempts: a whole number of attempts, 1 to 20'],
    [{ parallel: 2 }, 'parallel: attempts beside it (--attempts 3)'],
    [{ attempts: 2, loop: 'improvement' }, 'attempts: no loop improvement: it tries several things by itself'],
    [{ attempts: 1, agents: ['claude', 'codex'] }, 'attempts: at least 2, one for each of the agents'],
    [{ agents: ['claude', 'openai/a'] }, 'agents: agents of others, or models: a list has one kind'],
    [{ agents: ['claude'], agent: 'codex' }, 'agent: one list: name it among the agents'],
    [{ agents: [] }, 'agents: a list of agents of others, or of models'],
  ])('X6 %j is refused', (options, fault) => {
    expect(faultsOf(options)).toContain(fault);
  });
});
