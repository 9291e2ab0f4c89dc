import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { configOfFlags, withOptionFlags, withProgramFlags } from '../../src/cli/args/run-flags.ts';
import { Config, DEFAULTS, runValues } from '../../src/config/config.ts';
import { environmentLayer } from '../../src/config/environment.ts';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { environmentOf, flagOf, OPTION_ROWS, OPTIONS } from '../../src/options/option-table.ts';
import { RunOptions } from '../../src/config/options.ts';
import { resolveSettings } from '../../src/config/resolve.ts';

/** A value of each option, and the text that a flag or a variable has for it. */
const SAMPLES: { readonly [option in keyof Required<Config>]: readonly [value: unknown, text: string] } = {
  loop: ['turn', 'turn'],
  images: [['a.png'], 'a.png'],
  labels: [['ralph-wiggum-5'], 'ralph-wiggum-5'],
  completionPromise: ['SHIPPED', 'SHIPPED'],
  context: ['continue', 'continue'],
  adaptiveIterations: ['true', 'true'],
  options: [{ reviewer: 'strict' }, '{"reviewer": "strict"}'],
  model: ['openai/gpt-5', 'openai/gpt-5'],
  fallbackModel: ['ollama/small', 'ollama/small'],
  judge: ['ollama/tiny', 'ollama/tiny'],
  effort: ['high', 'high'],
  temperature: ['0.2', '0.2'],
  maxAnswerTokens: ['4000', '4000'],
  providerOptions: [{ openai: { serviceTier: 'flex' } }, '{"openai": {"serviceTier": "flex"}}'],
  agent: ['Architect', 'Architect'],
  attempts: ['3', '3'],
  parallel: ['2', '2'],
  agents: [['claude', 'codex'], 'claude,codex'],
  system: ['Be brief, and kind', 'Be brief, and kind'],
  systemAppend: ['Be brief', 'Be brief'],
  instructions: ['none', 'none'],
  tools: [['read', 'edit'], 'read, edit'],
  hooks: [[{ on: 'end', command: 'say done' }], '[{"on": "end", "command": "say done"}]'],
  outputSchema: ['answer.json', 'answer.json'],
  permissions: [['deny shell command=git push'], 'deny shell command=git push'],
  permissionProfile: ['read', 'read'],
  environment: [['CI', 'NODE_ENV'], 'CI,NODE_ENV'],
  maxIterations: ['4', '4'],
  maxSteps: ['none', 'none'],
  maxToolCalls: ['6', '6'],
  maxParallel: ['3', '3'],
  maxTokens: ['7', '7'],
  maxTime: ['30m', '30m'],
  maxCost: ['2.50', '2.50'],
  threadMaxCost: ['9', '9'],
  checks: [['npm test'], 'npm test'],
  checkTimeout: ['5m', '5m'],
  ci: ['gh run watch', 'gh run watch'],
  strategy: [{ name: 'fixed', config: { maxIterations: 2 } }, '{"name": "fixed", "config": {"maxIterations": 2}}'],
  detectors: [['default', 'chant'], 'default, chant'],
  polling: [['gh run *'], 'gh run *'],
  summaryTokens: ['2000', '2000'],
  stateDirectory: ['.state', '.state'],
  isolate: ['worktree', 'worktree'],
  isolateFrom: ['HEAD', 'HEAD'],
  deps: [['node_modules', 'target'], 'node_modules, target'],
  protect: [['checks/**'], 'checks/**'],
  checkIn: ['proof', 'proof'],
  provide: [['.env.test'], '.env.test'],
  prepare: [['npm ci'], 'npm ci'],
  homePaths: [['.aws'], '.aws'],
  heldOut: ['/held-out', '/held-out'],
  heldOutChecks: [['npm run exam'], 'npm run exam'],
  heldOutTells: ['names', 'names'],
  allowGrounds: [['test/**'], 'test/**'],
  wait: ['false', 'false'],
  requireRed: ['true', 'true'],
  quiet: ['true', 'true'],
  verbose: ['true', 'true'],
  deltas: ['true', 'true'],
  walls: ['required', 'required'],
  control: ['off', 'off'],
  legs: ['base', 'base'],
  accept: ['verified', 'verified'],
  sandbox: ['required', 'required'],
  network: ['registries,loopback:5432', 'registries,loopback:5432'],
  sandboxWrite: [['../shared'], '../shared'],
  sandboxLimits: ['memory=2gb', 'memory=2gb'],
  captureLimit: ['200mb', '200mb'],
  unprotect: [['**/{a,b}.json'], '**/{a,b}.json'],
  webhooks: [['https://one.example/hook'], 'https://one.example/hook'],
  graceMs: ['500', '500'],
  mcpServers: [{ files: { command: 'server' } }, '{"files":{"command":"server"}}'],
  mcpConfig: ['servers.json', 'servers.json'],
  providers: [
    { mine: { wire: 'openai', baseUrl: 'http://127.0.0.1:9/v1' } },
    '{"mine": {"wire": "openai", "baseUrl": "http://127.0.0.1:9/v1"}}',
  ],
  log: ['memory:', 'memory:'],
  outputFormat: ['json', 'json'],
};

/** Flags without a value, and what they set. */
const SWITCHES: { readonly [option: string]: boolean } = {
  wait: false,
  requireRed: true,
  quiet: true,
  verbose: true,
  deltas: true,
};

const flagged = (words: readonly string[]) => {
  const command = withOptionFlags(withProgramFlags(new Command())).exitOverride();
  command.parse(words, { from: 'user' });
  return configOfFlags(command.opts());
};

describe('every option is a key, a variable and a flag', () => {
  test('every option of a run is one, but for the task, the folder and the run it continues', () => {
    const ofRuns = Object.keys(RunOptions.shape).filter(
      (option) => !['prompt', 'directory', 'continues'].includes(option),
    );
    expect(OPTIONS).toEqual(expect.arrayContaining(ofRuns));
    expect(OPTIONS.toSorted()).toEqual(Object.keys(Config.shape).toSorted());
    expect(Object.keys(SAMPLES).toSorted()).toEqual(OPTIONS.toSorted());
  });

  test('the defaults are values of their options', () => expect(Config.safeParse(DEFAULTS).success).toBe(true));

  test.each(OPTIONS)('%s', (option) => {
    const [value, text] = SAMPLES[option];
    expect(Config.safeParse({ [option]: value }).success).toBe(true);
    const set = SWITCHES[option];
    const words = set === undefined ? [flagOf(option), text] : [flagOf(option)];
    expect(flagged(words)).toEqual({ values: { [option]: set ?? value }, faults: [] });
    expect(flagged([])).toEqual({ values: {}, faults: [] });
    expect(environmentLayer({ [environmentOf(option)]: ` ${text} ` }).layer.values).toEqual({ [option]: value });
    expect(configJsonSchema().properties?.[option]).toMatchObject({ description: OPTION_ROWS[option].means });
  });

  test('no two of them share a flag or a variable', () => {
    expect(new Set(OPTIONS.map(flagOf)).size).toBe(OPTIONS.length);
    expect(new Set(OPTIONS.map(environmentOf)).size).toBe(OPTIONS.length);
  });

  test('R1 labels add up as flags, and are separated by commas in a variable', () => {
    expect(flagged(['--label', 'bug', '--label', 'p1, p2']).values).toEqual({ labels: ['bug', 'p1, p2'] });
    expect(environmentLayer({ LOOPFOLD_LABELS: 'bug, p1' }).layer.values).toEqual({ labels: ['bug', 'p1'] });
  });

  test('checks add up as flags, and stand on lines of their own in a variable', () => {
    expect(flagged(['--verify', 'a, b', '--verify', 'L1:c']).values).toEqual({ checks: ['a, b', 'L1:c'] });
    const { layer } = environmentLayer({ LOOPFOLD_CHECKS: 'a, b\n\n  L1:c\n' });
    expect(layer.values).toEqual({ checks: ['a, b', 'L1:c'] });
  });

  test('a text that is not the JSON it has to be is a fault that names its flag or variable', () => {
    expect(flagged(['--providers', '{openai']).faults).toMatchObject([{ field: 'providers', flag: '--providers' }]);
    const { faults } = environmentLayer({ LOOPFOLD_STRATEGY: '{"name"' });
    expect(faults).toMatchObject([
      { field: 'strategy', flag: 'LOOPFOLD_STRATEGY', expected: 'an object, written as JSON' },
    ]);
  });
});

test('what is shown as a default is what a run gets where nothing is said', () => {
  expect(resolveSettings({ prompt: 'x', ...runValues(DEFAULTS) })).toEqual(resolveSettings({ prompt: 'x' }));
});

describe('the environment', () => {
  test('an empty variable says nothing', () =>
    expect(environmentLayer({ LOOPFOLD_MODEL: '', LOOPFOLD_MAX_STEPS: '  ' })).toEqual({
      layer: { kind: 'variable', values: {} },
      faults: [],
      warnings: [],
    }));

  test('an unknown variable with the prefix is warned about, with the likely name', () => {
    const { warnings } = environmentLayer({
      LOOPFOLD_MAX_STPES: '3',
      LOOPFOLD_QUUX: '1',
      LOOPFOLDER: 'x',
      LOOPFOLD_X: '',
    });
    expect(warnings).toEqual([
      'LOOPFOLD_MAX_STPES is not a variable that is read. Did you mean LOOPFOLD_MAX_STEPS?',
      'LOOPFOLD_QUUX is not a variable that is read.',
    ]);
  });
});

describe('the JSON Schema', () => {
  const schema = z.fromJSONSchema(configJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
  const isValid = (config: unknown) => schema.safeParse(config).success;

  test.each(OPTIONS)('takes what a person may write as %s', (option) => {
    expect(isValid({ $schema: './node_modules/loopfold/dist/config.schema.json', [option]: SAMPLES[option][0] })).toBe(
      true,
    );
  });

  test('takes numbers, and both forms of a check', () =>
    expect(
      isValid({ maxSteps: 5, maxTime: 1000, checks: ['a', { command: 'b', level: 'L2' }], strategy: 'fixed' }),
    ).toBe(true));

  test.each([
    { maxStpes: 5 },
    { maxSteps: -1 },
    { loop: 'spiral' },
    { checks: 'npm test' },
    { providers: { a: { wire: 'telegraph' } } },
  ])('refuses %j', (config) => expect(isValid(config)).toBe(false));
});
