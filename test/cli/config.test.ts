import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { testInTurn } from '../support/in-turn.ts';
import { folder, listing, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const DONE = { answers: [{ text: 'done' }] };
const CALLS = { answers: [{ calls: [{ tool: 'list', arguments: { path: '.' } }] }, { text: 'done' }] };

const config = async (cwd: string, words: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  loopfold(['config', ...words], { cwd, env: { HOME: cwd, ...env } });

describe('config says what a run would be started with', () => {
  test('for people a line each, with where it is from', async () => {
    const cwd = await project(DONE, {
      'loopfold.config.json': '{\n  "maxSteps": 7,\n  "maxTokens": 9\n}',
      '.config/loopfold/loopfold.config.json': '{"maxTime": "5m", "providers": {"mine": {"wire": "openai"}}}',
      'AGENTS.md': '## Fixer\n---\nbudget: 4\n---\n',
    });
    const { status, stdout } = await config(cwd, ['--origin', '--max-tokens', '8'], { LOOPFOLD_AGENT: 'fixer' });
    const lines = stdout
      .replaceAll(`${cwd}/`, '')
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(status).toBe(0);
    expect(lines).toEqual(
      expect.arrayContaining([
        ['maxSteps', 'loopfold.config.json:2', '7'],
        ['maxTokens', '--max-tokens', '8'],
        ['maxTime', '.config/loopfold/loopfold.config.json:1', '5m'],
        ['maxToolCalls', 'AGENTS.md:3', '4'],
        ['agent', 'LOOPFOLD_AGENT', 'fixer'],
        ['providers.mine', '.config/loopfold/loopfold.config.json:1', '{"wire":"openai"}'],
        ['graceMs', 'default', '10000'],
        ['model', 'default', '-'],
      ]),
    );
    expect(await listing(cwd)).not.toContain('.loopfold');
  });

  test('for programs as an object that could be a file', async () => {
    const cwd = await project(DONE, { 'loopfold.config.json': '{"maxSteps": 7}' });
    const { stdout } = await config(cwd, ['--json'], { LOOPFOLD_CHECKS: 'npm test' });
    const shown = JSON.parse(stdout);
    expect(shown).toMatchObject({ maxSteps: 7, checks: ['npm test'], agent: 'Coder', maxToolCalls: 200 });
    expect(
      z.fromJSONSchema(configJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]).safeParse(shown).success,
    ).toBe(true);
    const origins = JSON.parse((await config(cwd, ['--json', '--origin'], { LOOPFOLD_LOG: 'memory:' })).stdout);
    expect(origins).toMatchObject({ log: { value: 'memory:', origin: 'LOOPFOLD_LOG' }, tools: { origin: 'default' } });
  });

  test('secrets are not shown', async () => {
    const providers = JSON.stringify({
      mine: { wire: 'openai', baseUrl: 'http://me:hunter2@127.0.0.1/v1?key=hunter2', headers: { 'x-key': 'hunter2' } },
    });
    const cwd = await folder();
    for (const words of [['--json'], ['--origin'], ['--models', '--json']]) {
      const { status, stdout, stderr } = await config(cwd, words, {
        LOOPFOLD_PROVIDERS: providers,
        OPENAI_API_KEY: 'hunter2',
      });
      expect({ words, status }).toEqual({ words, status: 0 });
      expect(stdout + stderr).not.toContain('hunter2');
      expect(stdout).toContain('mine');
    }
  });

  test('providers, whether their keys are found, and what models cost', async () => {
    const cwd = await folder();
    const prices = '{"ollama": {"prices": {"small": {"inputPerMillion": 1, "outputPerMillion": 2}}}}';
    const { stdout } = await config(cwd, ['--models', '--providers', prices], { ANTHROPIC_API_KEY: 'k'.repeat(20) });
    expect(stdout).toMatch(/^anthropic: key found$/m);
    expect(stdout).toMatch(/^openai: .*OPENAI_API_KEY/m);
    expect(stdout).toMatch(/^ollama: key not needed$/m);
    expect(stdout).toMatch(/^ {2}ollama\/small +\$1 in, \$2 out per million tokens/m);
    expect(stdout).toMatch(/^ {2}anthropic\/claude\S+ +\$[\d.]+ in/m);
  });

  test('the schema it prints is the one that ships, and needs no configuration that works', async () => {
    const cwd = await folder({ 'loopfold.config.json': 'broken' });
    const { status, stdout } = await config(cwd, ['--schema']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
  });
});

describe('a run is started with all that was said', () => {
  test('from the project, from above it, with paths as the file means them', async () => {
    const cwd = await project(CALLS, { '.config/loopfold/loopfold.config.json': '{"maxSteps": 1}', 'sub/file': '' });
    const env = { HOME: cwd, LOOPFOLD_MODEL: 'script:../model.json', LOOPFOLD_OUTPUT_FORMAT: 'json' };
    const ended = await loopfold(['run', 'go'], { cwd: `${cwd}/sub`, env });
    expect(ended.status).toBe(10);
    expect(resultIn(ended)).toMatchObject({ outcome: { ending: 'cap_hit' } });
  });

  test('T13 an agent’s steps end it', async () => {
    const cwd = await project(CALLS, {
      'AGENTS.md': '## Short\n---\nsteps: 1\nmodel: script:model.json\n---\nBe short.\n',
    });
    const env = { HOME: cwd };
    expect((await loopfold(['run', 'go', '--agent', 'short'], { cwd, env })).status).toBe(10);
    expect((await loopfold(['run', 'go', '--agent', 'short', '--max-steps', '5'], { cwd, env })).status).toBe(0);
    const { stdout } = await loopfold(['events', '--json'], { cwd, env });
    expect(JSON.parse(stdout.split('\n')[0] ?? '').payload.settings).toMatchObject({
      agent: 'short',
      system: 'Be short.',
    });
  });

  const wrong: readonly (readonly [files: Readonly<Record<string, string>>, words: readonly string[], says: string])[] =
    [
      [
        { 'loopfold.config.json': '{\n"maxSteps": 201}' },
        [],
        'loopfold.config.json:2: maxSteps: expected a whole number of steps, at most 200',
      ],
      [{ 'loopfold.config.json': '{"maxStpes": 1}' }, [], 'Did you mean maxSteps?'],
      [{ 'loopfold.config.mjs': "throw new Error('full moon')" }, ['--trust'], 'full moon'],
      [{ 'loopfold.config.mjs': 'export default {}' }, [], '--trust'],
      [{ 'AGENTS.md': '## Bad\n---\nsteps: -1\n---' }, ['--agent', 'bad'], 'AGENTS.md:3: steps: expected'],
      [{}, ['--agent', 'nobody', '--providers', '{'], 'providers (--providers): expected an object, written as JSON'],
    ];

  test.for(wrong)(
    'what is wrong with it ends with 2, its place, and nothing written: %j %j',
    async ([files, words, says]) => {
      const cwd = await project(DONE, files);
      const before = await listing(cwd);
      const { status, stdout, stderr } = await loopfold(['run', 'go', '-m', 'script:model.json', ...words], {
        cwd,
        env: { HOME: cwd },
      });
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(says);
      expect(await listing(cwd)).toEqual(before);
    },
  );

  testInTurn('a broken configuration file does not keep a run from being read', async () => {
    const cwd = await project(DONE);
    const env = { HOME: cwd };
    expect((await loopfold(['run', 'go', '-m', 'script:model.json'], { cwd, env })).status).toBe(0);
    for (const text of ['{"maxStpes": 1}', '{"agent": "x"}']) {
      await writeFile(`${cwd}/loopfold.config.json`, text);
      const { status, stderr } = await loopfold(['show'], { cwd, env });
      expect(status).toBe(0);
      expect(stderr).toMatch(/^warning: .*loopfold\.config\.json/m);
    }
  });
});

test('a key that only the configuration knows is not recorded', async () => {
  const cwd = await project({ answers: [{ text: 'I saw one-two-three-four and five-six-seven-eight.' }] });
  const providers = JSON.stringify({
    mine: { wire: 'openai', apiKeyVariable: 'MINE', headers: { authorization: 'Bearer five-six-seven-eight' } },
  });
  const env = { HOME: cwd, MINE: 'one-two-three-four', LOOPFOLD_PROVIDERS: providers };
  expect((await loopfold(['run', 'go', '-m', 'script:model.json'], { cwd, env })).status).toBe(0);
  const { stdout } = await loopfold(['events', '--json'], { cwd, env });
  expect(stdout).toContain('I saw [redacted MINE] and [redacted mine authorization].');
  expect(stdout).not.toMatch(/one-two|five-six/);
});
