import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testInTurn } from '../support/in-turn.ts';
import { modelServer } from '../support/model-server/server.ts';
import { folder, listing, MODEL, project, resultIn, Terminal } from './program.ts';
import { loopfold } from './warm-process.ts';

const DONE = { answers: [{ text: 'It is done.' }] };
const PACKAGE = { 'package.json': JSON.stringify({ scripts: { test: 'node --test' } }) };
const KEYS = { OPENAI_API_KEY: 'sk-o', ANTHROPIC_API_KEY: 'sk-a' };

describe.concurrent('G9 without a terminal, what is missing is refused with the command that works', () => {
  test('one key and tests', async () => {
    const cwd = await project(DONE, PACKAGE);
    const env = { HOME: cwd, OPENAI_API_KEY: 'sk-o' };
    const ended = await loopfold(['run', "it's broken", '--max-cost', '2'], { cwd, env });
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain('openai/gpt-5 (OPENAI_API_KEY is set)\n');
    const line = /^Try: .* (run .*)$/m.exec(ended.stderr)?.[1];
    expect(line).toBe(String.raw`run 'it'\''s broken' --max-cost 2 -m openai/gpt-5 --verify 'npm test'`);
    expect(await listing(cwd)).not.toContain('.loopfold');
  });

  test('two keys: both are named, and which is taken', async () => {
    const cwd = await project(DONE, PACKAGE);
    const { stderr } = await loopfold(['run', '--', '-x'], { cwd, env: { HOME: cwd, ...KEYS } });
    expect(stderr).toContain('openai/gpt-5 (OPENAI_API_KEY is set), the first of 2; with -m also anthropic/');
    expect(stderr).toMatch(/^Try: .* run -m openai\/gpt-5 --verify 'npm test' -- -x$/m);
  });

  test('no key: the variables for one, and what needs none', async () => {
    const cwd = await project(DONE, PACKAGE);
    const ended = await loopfold(['run', 'x', '--output-format', 'json'], { cwd, env: { HOME: cwd } });
    expect(resultIn(ended)).toMatchObject({ exit: 2, error: expect.stringContaining('ANTHROPIC_API_KEY') });
    expect(ended.stderr).toContain('-m ollama/MODEL');
  });

  testInTurn('checks alone are offered, and the run begins without them', async () => {
    const cwd = await project(DONE, PACKAGE);
    const env = { HOME: cwd };
    const offered = await loopfold(['run', 'x', ...MODEL], { cwd, env });
    expect({ status: offered.status, stdout: offered.stdout }).toEqual({ status: 0, stdout: 'It is done.\n' });
    expect(offered.stderr).toContain(
      "no check is named, so nothing proves the work; package.json: --verify 'npm test'\n",
    );
    expect(offered.stderr).not.toContain('no cap on');
    const named = await loopfold(['run', 'x', ...MODEL, '--loop', 'turn'], { cwd, env });
    expect(named.stderr).not.toContain('no check is named');
  });
});

describe.concurrent('G9 the program alone says in five lines what is there, and ends with 2', () => {
  const alone = async (cwd: string, env: Readonly<Record<string, string>>, words: readonly string[] = []) => {
    const { status, stdout, stderr } = await loopfold(words, { cwd, env: { HOME: cwd, ...env } });
    expect({ status, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ status: 2, stdout: '', lines: 5 });
    return (name: string) => new RegExp(`^${name} +(.*)$`, 'm').exec(stderr)?.[1];
  };

  testInTurn('a key and tests: the command that starts a run with both', async () => {
    const row = await alone(await project(DONE, PACKAGE), KEYS);
    expect(row('model')).toMatch(/^openai\/gpt-5 \(OPENAI_API_KEY is set\), the first of 2;.*anthropic/);
    expect(row('checks')).toBe('npm test (package.json)');
    expect(row('start')).toMatch(/ run -m openai\/gpt-5 --verify 'npm test' 'Say here what to do.'$/);
  });

  test('no git: the command makes a repository first', async () => {
    const cwd = await project(DONE, PACKAGE, false);
    const row = await alone(cwd, { OPENAI_API_KEY: 'sk-o' });
    expect(row('start')).toMatch(new RegExp(`^git init ${cwd} && .* run -m openai/gpt-5`));
  });

  test('nothing at all: the demo', async () => {
    const row = await alone(await folder(), {});
    expect(row('model')).toContain('no key is set in OPENAI_API_KEY, ANTHROPIC_API_KEY, ');
    expect(row('start')).toMatch(/ demo$/);
  });

  test('a file that names both: where they stand, and a command without them', async () => {
    const config = JSON.stringify({ model: 'ollama/qwen3', checks: [{ command: 'make' }] });
    const cwd = await project(DONE, { ...PACKAGE, 'loopfold.config.json': config });
    const row = await alone(cwd, KEYS);
    expect(row('model')).toMatch(/^ollama\/qwen3 \(.*loopfold\.config\.json:1\)$/);
    expect(row('checks')).toMatch(/^make \(/);
    expect(row('start')).toMatch(/ run 'Say here what to do.'$/);
  });
});

describe('G9 on a terminal what is missing is confirmed once', () => {
  testInTurn('the second of two keys is chosen by its number, and both are remembered for the folder', async () => {
    const server = await modelServer({ answers: [{ text: 'One.' }, { text: 'Two.' }] });
    onTestFinished(server.close);
    const price = { inputPerMillion: 1, outputPerMillion: 1 };
    const house = { wire: 'openai-chat', baseUrl: server.url, apiKeyVariable: 'HOUSE_KEY', prices: { large: price } };
    const providers = {
      house: { ...house, apiKeyVariable: 'HOUSE_KEY' },
      other: { ...house, prices: { small: price } },
    };
    const cwd = await folder({ 'loopfold.config.json': JSON.stringify({ providers }) });
    const env = { HOME: cwd, HOUSE_KEY: 'sk-h' };
    const asked = new Terminal(['run', 'x', '--trust'], { cwd, env });
    await asked.shows('2  other/small (HOUSE_KEY is set)');
    await asked.shows('[y/N, or the number of a model]');
    asked.type('2\n');
    await asked.shows('no cap on money or tokens: --max-cost 5 would set one');
    expect((await asked.ended).stdout).toContain('One.');
    const record = JSON.parse(await readFile(join(cwd, '.config/loopfold/confirmed.json'), 'utf8'));
    expect(Object.values(record)).toEqual([{ model: 'other/small' }]);
    const again = await loopfold(['run', 'x', '--trust', '--max-tokens', 'none'], { cwd, env });
    expect(again).toMatchObject({ status: 0, stdout: 'Two.\n' });
    expect(again.stderr).not.toContain('no cap on');
  });

  testInTurn('checks that are refused are not asked about again', async () => {
    const cwd = await project(DONE, PACKAGE);
    const env = { HOME: cwd };
    const asked = new Terminal(['run', 'x', ...MODEL], { cwd, env });
    await asked.shows('checks  npm test (package.json)');
    await asked.shows('[y/N]');
    asked.type('n\n');
    expect((await asked.ended).stdout).toContain('It is done.');
    const again = await loopfold(['run', 'x', ...MODEL], { cwd, env });
    expect(again.stderr).not.toContain('no check is named');
  });

  test('no to a model refuses the run', async () => {
    const cwd = await project(DONE, PACKAGE);
    const asked = new Terminal(['run', 'x'], { cwd, env: { HOME: cwd, ...KEYS } });
    await asked.shows('[y/N, or the number of a model]');
    asked.type('3\n');
    expect(await asked.ended).toMatchObject({ status: 2, stdout: expect.stringContaining('-m openai/gpt-5') });
    expect(await listing(cwd)).not.toContain('.loopfold');
  });
});
