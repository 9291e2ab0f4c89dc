import { execFile } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadCode } from '../../src/config/file-layer.ts';
import { userFolder } from '../../src/config/places.ts';
import { absent } from '../support/absent.ts';
import { testInTurn } from '../support/in-turn.ts';
import { configOf, folderWith, problemsOf, valuesOf } from './places.ts';

const USER = 'home/.config/loopfold/loopfold.config.json';

describe('where configuration is found', () => {
  test('from the folder up to the root of the repository, the nearest wins whole', async () => {
    const top = await folderWith({
      '.git/HEAD': '',
      'loopfold.config.json': { maxSteps: 1, maxTokens: 9 },
      'a/loopfold.config.json': { maxSteps: 2 },
      'a/b/c/file': '',
    });
    expect(await valuesOf(configOf(join(top, 'a/b/c')))).toEqual({ maxSteps: 2 });
    expect(await valuesOf(configOf(top))).toEqual({ maxSteps: 1, maxTokens: 9 });
  });

  test('never above the root, and outside a repository in that folder alone', async () => {
    const top = await folderWith({
      'loopfold.config.json': { maxSteps: 1 },
      'repo/.git/HEAD': '',
      'repo/sub/file': '',
      'plain/file': '',
    });
    expect(await valuesOf(configOf(join(top, 'repo/sub')))).toEqual({});
    expect(await valuesOf(configOf(join(top, 'plain')))).toEqual({});
    expect(await valuesOf(configOf(top))).toEqual({ maxSteps: 1 });
  });

  test('a folder that is not there has none', async () =>
    expect(await valuesOf(configOf(absent('at all')))).toEqual({}));

  test('two in one folder are refused with both names', async () => {
    const top = await folderWith({ 'loopfold.config.json': '{}', 'loopfold.config.mjs': '' });
    const [problem, ...others] = await problemsOf(configOf(top));
    expect(others).toEqual([]);
    expect(problem).toContain(join(top, 'loopfold.config.json'));
    expect(problem).toContain(join(top, 'loopfold.config.mjs'));
  });

  test('the file of the user has the lowest precedence', async () => {
    const top = await folderWith({ 'loopfold.config.json': { maxSteps: 1 }, [USER]: { maxSteps: 2, maxTokens: 3 } });
    const env = { HOME: join(top, 'home') };
    expect(await valuesOf(configOf(top, { env }))).toEqual({ maxSteps: 1, maxTokens: 3 });
  });

  test('XDG_CONFIG_HOME says where that lies, if it says it in full', () => {
    expect(userFolder({ XDG_CONFIG_HOME: '/x', HOME: '/h' })).toBe('/x/loopfold');
    expect(userFolder({ XDG_CONFIG_HOME: 'x', HOME: '/h' })).toBe('/h/.config/loopfold');
  });

  test('flags, then variables, then files', async () => {
    const top = await folderWith({ 'loopfold.config.json': { maxSteps: 1, maxTokens: 1, maxToolCalls: 1 } });
    const env = { LOOPFOLD_MAX_STEPS: '2', LOOPFOLD_MAX_TOKENS: '2' };
    expect(await valuesOf(configOf(top, { env, flags: { maxSteps: '3' } }))).toEqual({
      maxSteps: '3',
      maxTokens: '2',
      maxToolCalls: 1,
    });
  });

  test('what names a file is read from where it is written', async () => {
    const top = await folderWith({
      '.git/HEAD': '',
      'loopfold.config.json': { model: 'script:a.json', log: 'sqlite:logs/a.db' },
      'sub/file': '',
    });
    const env = { LOOPFOLD_FALLBACK_MODEL: 'script:b.json' };
    const elsewhere = absent();
    expect(await valuesOf(configOf(join(top, 'sub'), { env, cwd: elsewhere }))).toEqual({
      model: `script:${join(top, 'a.json')}`,
      log: `sqlite:${join(top, 'logs/a.db')}`,
      fallbackModel: `script:${join(elsewhere, 'b.json')}`,
    });
  });
});

describe('what is wrong is told with its place', () => {
  test('file, line, key, value, and what was expected or meant', async () => {
    const top = await folderWith({
      'loopfold.config.json':
        '{\n  "maxStpes": 3,\n  "checks": [\n    {"command": "a",\n     "levl": "L1"}],\n  "providers": {"mine": {"wre": "openai"}},\n  "loop": "spiral"\n}',
    });
    const file = join(top, 'loopfold.config.json');
    expect((await problemsOf(configOf(top))).toSorted()).toEqual([
      `${file}:2: maxStpes: expected a known option, found 3. Did you mean maxSteps?`,
      `${file}:5: checks[0].levl: expected a known option, found 'L1'. Did you mean level?`,
      `${file}:6: providers.mine.wre: expected a known option, found 'openai'. Did you mean wire?`,
      `${file}:7: loop: expected 'turn', 'iteration', 'ralph', 'improvement', 'contest', or the path of a module with a loop, such as ./my-loop.ts, found 'spiral'`,
    ]);
  });

  test('a variable, a flag', async () => {
    const top = await folderWith();
    const env = { LOOPFOLD_MAX_STEPS: 'many' };
    expect(await problemsOf(configOf(top, { env, flags: { maxTokens: '-1' } }))).toEqual([
      "maxTokens (--max-tokens): expected a whole number of tokens, 1 or more, or 'none', found '-1'",
      "maxSteps (LOOPFOLD_MAX_STEPS): expected a whole number of steps, 0 or more, or 'none', found 'many'",
    ]);
  });

  test('an unknown tool, from any source', async () => {
    const top = await folderWith({ 'loopfold.config.json': '{\n"tools": ["read",\n"wirte"]}' });
    expect(await problemsOf(configOf(top))).toEqual([
      expect.stringMatching(
        /loopfold\.config\.json:3: tools\[1\]: expected one of read, .*found 'wirte'\. Did you mean write\?$/,
      ),
    ]);
    expect(await problemsOf(configOf(top, { flags: { tools: ['reed'] } }))).toEqual([
      expect.stringMatching(/^tools\[0\] \(--tools\): .*mean read\?$/),
    ]);
  });

  test.each([
    ['{"maxSteps": 1,}', /loopfold\.config\.json is not JSON: /],
    ['', /is not JSON/],
    ['[1]', /: options: expected an object with options, found \[ 1 \]/],
    ['"x"', /expected an object with options, found 'x'/],
    [' '.repeat(1_000_001), /is too big: 1000001 bytes, at most 1000000/],
  ])('%.20j', async (text, says) => {
    const top = await folderWith({ 'loopfold.config.json': text });
    expect(await problemsOf(configOf(top))).toEqual([expect.stringMatching(says)]);
  });

  test('bytes that are no text, and what is no file', async () => {
    const top = await folderWith();
    await writeFile(join(top, 'loopfold.config.json'), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(await problemsOf(configOf(top))).toEqual([`${join(top, 'loopfold.config.json')} is not text in UTF-8`]);
    const other = await folderWith();
    await mkdir(join(other, 'loopfold.config.ts'));
    expect(await problemsOf(configOf(other))).toEqual([
      expect.stringMatching(/loopfold\.config\.ts (is not a file|cannot be read)/),
    ]);
    const third = await folderWith();
    await symlink('nothing', join(third, 'loopfold.config.ts'));
    expect(await problemsOf(configOf(third))).toEqual([expect.stringMatching(/cannot be read \(ENOENT\)/)]);
  });

  test('where only the log is wanted, it is told and stops nothing', async () => {
    const top = await folderWith({ 'loopfold.config.json': '{"maxStpes": 3}', [USER]: { log: 'memory:' } });
    const loaded = await configOf(top, { env: { HOME: join(top, 'home'), LOOPFOLD_AGENT: 'nobody' }, isStrict: false });
    expect(loaded).toMatchObject({
      kind: 'loaded',
      config: { values: { log: 'memory:' }, warnings: [expect.stringContaining('maxStpes')] },
    });
  });
});

describe('a file that is code', () => {
  const code = async (text: string, name = 'loopfold.config.mjs') => configOf(await folderWith({ [name]: text }));

  test.each([
    'export default { maxSteps: 5 };',
    'export default () => ({ maxSteps: 5 });',
    'export default async () => ({ maxSteps: 5 });',
    'export default Promise.resolve({ maxSteps: 5 });',
    "import { sep } from 'node:path'; export default { maxSteps: sep ? 5 : 0 };",
  ])('%s', async (text) => expect(await valuesOf(code(text))).toEqual({ maxSteps: 5 }));

  test('may be TypeScript, and import what lies beside it', async () => {
    const top = await folderWith({
      'loopfold.config.ts': "import { steps } from './steps.ts';\nexport default { maxSteps: steps as number };",
      'steps.ts': 'export const steps: number = 7;',
    });
    expect(await valuesOf(configOf(top))).toEqual({ maxSteps: 7 });
  });

  test.each([
    ["throw new Error('the moon is full');", 'fails when it is loaded: Error: the moon is full'],
    ["export default () => { throw new TypeError('no'); };", 'fails when it is loaded: TypeError: no'],
    ["import './nowhere.mjs';", 'fails when it is loaded: Error: Cannot find module'],
    ['export default {', 'fails when it is loaded: SyntaxError'],
    ['export const config = {};', 'exports config, but no default. Write: export default'],
    ['export default { checks: () => 1 };', 'exports what is no plain data'],
    ['process.exit(0);', 'ends, or waits for ever'],
    ['await new Promise(() => {});', 'ends, or waits for ever'],
    ['export default new Promise(() => {});', 'ends, or waits for ever'],
    ['export default { maxSteps: new Date() };', 'maxSteps: expected a whole number'],
    ['export default 5;', 'options: expected an object with options, found 5'],
  ])('%s', async (text, says) => {
    const [problem, ...others] = await problemsOf(code(text));
    expect(others).toEqual([]);
    expect(problem).toContain(says);
    expect(problem).toContain('loopfold.config.mjs');
  });

  test('one that never ends is ended', async () => {
    const top = await folderWith({
      'a.mjs': 'for (;;);',
      'b.mjs': 'setInterval(() => {}, 10); export default new Promise(() => {});',
    });
    for (const name of ['a.mjs', 'b.mjs']) {
      const loaded = await loadCode(join(top, name), 300);
      expect(loaded).toEqual({ kind: 'failed', why: 'is not done after 300 ms. Let it export plain data.' });
    }
  });

  testInTurn('nothing of it is left that would keep the process', async () => {
    const top = await folderWith({ 'a.mjs': 'for (;;);' });
    const load = join(import.meta.dirname, '../../src/config/file-layer.ts');
    const file = JSON.stringify(join(top, 'a.mjs'));
    const program = `import(${JSON.stringify(load)}).then(({ loadCode }) => loadCode(${file}, 300)).then(console.log)`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { timeout: 120_000 });
    expect(stdout).toContain('is not done after 300 ms');
  });

  test('what it does to its own process is not done to ours', async () => {
    const text = "process.env.LOOPFOLD_TEST_MARK = 'x'; globalThis.mark = 1; export default {};";
    expect(await valuesOf(code(text))).toEqual({});
    expect(process.env['LOOPFOLD_TEST_MARK']).toBeUndefined();
    expect('mark' in globalThis).toBe(false);
  });
});

test('the file of the user counts only if no other user can write it', async () => {
  const top = await folderWith({ [USER]: { maxSteps: 2 } });
  await chmod(join(top, USER), 0o666);
  const [problem] = await problemsOf(configOf(top, { env: { HOME: join(top, 'home') } }));
  expect(problem).toMatch(/can be changed by others.*chmod o-w/);
});
