import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfirmedRecord } from '../../src/config/consent-record.ts';
import { manifestChecks } from '../../src/config/manifest-checks.ts';
import { userFolder } from '../../src/config/places.ts';
import { configOf, folderWith, valuesOf } from './places.ts';

const NODE = JSON.stringify({ scripts: { test: 'vitest run' } });
const NO_TESTS = JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } });

describe('G9 checks are proposed by the manifests of a project', () => {
  test.for([
    ['nothing', {}, []],
    ['npm', { 'package.json': NODE }, ['npm test (package.json)']],
    ['pnpm', { 'package.json': NODE, 'pnpm-lock.yaml': '' }, ['pnpm test (package.json)']],
    ['yarn', { 'package.json': NODE, 'yarn.lock': '' }, ['yarn test (package.json)']],
    ['no tests but what npm init writes', { 'package.json': NO_TESTS }, []],
    ['a package.json that does not parse', { 'package.json': '{' }, []],
    ['a test script that is a number', { 'package.json': '{"scripts": {"test": 7}}' }, []],
    ['Rust', { 'Cargo.toml': '[package]' }, ['cargo test (Cargo.toml)']],
    ['Go', { 'go.mod': 'module x' }, ['go test ./... (go.mod)']],
    ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]' }, ['pytest (pyproject.toml)']],
    ['pytest under uv', { 'pyproject.toml': 'dev = ["pytest>=8"]', 'uv.lock': '' }, ['uv run pytest (pyproject.toml)']],
    ['Python without pytest', { 'pyproject.toml': '[project]' }, []],
    ['make', { Makefile: 'all:\n\ntest: all\n\t./run\n' }, ['make test (Makefile)']],
    ['a variable that is called test', { Makefile: 'test := no\nall:\n' }, []],
    ['two languages', { 'package.json': NODE, 'go.mod': '' }, ['npm test (package.json)', 'go test ./... (go.mod)']],
    ['make around another', { 'go.mod': '', Makefile: 'test:\n\tgo test\n' }, ['go test ./... (go.mod)']],
  ] as const)('%s', async ([, files, expected]) => {
    const found = await manifestChecks(await folderWith(files), {});
    expect(found.map(({ command, from }) => `${command} (${from})`)).toEqual(expected);
  });

  test.for([
    ['test_parser.py', {}, ['pytest (test_parser.py)']],
    ['tests/parser_test.py', {}, ['pytest (tests/parser_test.py)']],
    ['parser.py', {}, []],
    ['test_parser.py', { Makefile: 'test:\n' }, ['make test (Makefile)']],
    ['test_parser.py', { 'go.mod': '' }, ['go test ./... (go.mod)']],
  ] as const)('files of tests in Python count where pytest is installed: %s', async ([file, others, expected]) => {
    const programs = await folderWith({ pytest: '' });
    const directory = await folderWith({ ...others, [file]: '' });
    const env = { PATH: `${join(programs, 'without')}:${programs}` };
    await chmod(join(programs, 'pytest'), 0o644);
    expect((await manifestChecks(directory, env)).some(({ command }) => command === 'pytest')).toBe(false);
    await chmod(join(programs, 'pytest'), 0o755);
    const found = await manifestChecks(directory, env);
    expect(found.map(({ command, from }) => `${command} (${from})`)).toEqual(expected);
  });
});

test('G9 what was confirmed for a folder counts there, below every other source', async () => {
  const home = await folderWith({ '.config/loopfold/loopfold.config.json': { model: 'ollama/a' } });
  const [here, elsewhere] = [await folderWith(), await folderWith()];
  const env = { HOME: home };
  const record = new ConfirmedRecord(userFolder(env));
  await record.add(here, { model: 'openai/gpt-5' });
  await record.add(here, { checks: ['npm test'] });
  expect(await valuesOf(configOf(here, { env }))).toEqual({ model: 'ollama/a', checks: ['npm test'] });
  expect(await valuesOf(configOf(here, { env: { HOME: elsewhere } }))).toEqual({});
  expect(await valuesOf(configOf(elsewhere, { env }))).toEqual({ model: 'ollama/a' });
});
