import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ConfigFile, findConfig } from '../../src/config/config-file.ts';
import { OPTIONS } from '../../src/options/option-table.ts';
import type { LoadedConfig } from '../../src/config/load-config.ts';
import { reasonToAsk, TrustLedger } from '../../src/config/trust-rules.ts';
import { configOf, folderWith } from './places.ts';

async function fileIn(folder: string): Promise<ConfigFile> {
  const search = await findConfig([folder]);
  if (search.kind !== 'file') throw new Error(JSON.stringify(search));
  return search.file;
}

const reasonFor = async (content: string | object, name = 'loopfold.config.json') =>
  reasonToAsk(await fileIn(await folderWith({ [name]: content })));

describe('what a project’s file may say without being trusted', () => {
  test.each([
    {},
    { $schema: './schema.json', maxSteps: 5, maxTime: '1h', loop: 'turn', tools: ['read'], outputFormat: 'json' },
    { model: 'openai/gpt-5', fallbackModel: 'ollama/small' },
    { effort: 'high', temperature: 0.5, maxAnswerTokens: 900 },
    { checks: ['npm test', { level: 'L1', command: 'npm run e2e' }] },
    { walls: 'required', checkIn: 'proof' },
    { providers: {} },
    { providers: { openai: { prices: { small: { inputPerMillion: 1, outputPerMillion: 2 } } } } },
    {
      strategy: 'fixed',
      stateDirectory: 'state',
      detectors: ['strict', { name: 'identical-calls' }],
    },
    { strategy: { name: 'hybrid', config: { baseIterations: 2 } } },
    { maxStpes: 5 },
    [],
  ])('%j', async (config) => expect(await reasonFor(config)).toBeNull());

  test.each([
    [{ providers: { openai: { baseUrl: 'http://elsewhere' } } }, 'it sets providers'],
    [{ providers: { openai: { prices: {}, headers: {} } } }, 'it sets providers'],
    [{ providers: { openai: { prices: {} }, other: { apiKeyVariable: 'TOKEN' } } }, 'it sets providers'],
    [{ environment: ['SECRET'], maxSteps: 1, log: 'sqlite:x' }, 'it sets environment, log'],
    [{ strategy: 'custom:./evil.mjs#Evil' }, 'it sets strategy'],
    [{ strategy: '  custom:./evil.mjs#Evil' }, 'it sets strategy'],
    [{ strategy: 'custom' }, 'it sets strategy'],
    [{ strategy: { name: 'custom', config: { modulePath: './evil.mjs', strategyName: 'Evil' } } }, 'it sets strategy'],
    [{ strategy: { name: 'custom' }, maxSteps: 3 }, 'it sets strategy'],
    [{ webhooks: ['https://evil.example'], checks: ['true'] }, 'it sets webhooks'],
    [{ providerOptions: { openai: { store: true } } }, 'it sets providerOptions'],
    [{ walls: 'off', checks: ['true'] }, 'it sets walls'],
    [{ checkIn: 'workspace' }, 'it sets checkIn'],
    [{ ci: 'make ci' }, 'it sets ci'],
    [{ prepare: ['make'] }, 'it sets prepare'],
    [{ homePaths: ['.ssh'] }, 'it sets homePaths'],
    [{ checks: ['true', { level: 'L1', command: 'true', network: true }] }, 'it sets checks'],
    [{ system: 'Be evil' }, 'it sets system'],
    [{ agent: 'Evil' }, 'it sets agent'],
    [{ model: 'script:evil.json' }, 'it sets model'],
    [{ fallbackModel: 'script:evil.json' }, 'it sets fallbackModel'],
  ])('B6 not %j', async (config, reason) => expect(await reasonFor(config)).toBe(reason));

  test('never code, and never a file that another user could have written', async () => {
    expect(await reasonFor('export default {}', 'loopfold.config.mjs')).toBe('it is code');
    const folder = await folderWith({ 'loopfold.config.json': '{}' });
    await chmod(join(folder, 'loopfold.config.json'), 0o646);
    expect(reasonToAsk(await fileIn(folder))).toBe('others can change it');
  });
});

test('an option is asked about unless it is known to do no harm', async () => {
  const harmless = [];
  for (const option of OPTIONS) if ((await reasonFor({ [option]: 1 })) === null) harmless.push(option);
  const numbers = OPTIONS.filter((option) => option.startsWith('max'));
  expect(harmless.toSorted()).toEqual(
    [
      'checks',
      'detectors',
      'polling',
      'stateDirectory',
      'summaryTokens',
      'threadMaxCost',
      'fallbackModel',
      'judge',
      'effort',
      'temperature',
      'labels',
      'context',
      'adaptiveIterations',
      'graceMs',
      'checkTimeout',
      'loop',
      'model',
      'outputFormat',
      'protect',
      'tools',
      'instructions',
      'unprotect',
      'provide',
      'allowGrounds',
      'captureLimit',
      'wait',
      'requireRed',
      'quiet',
      'verbose',
      'deltas',
      'control',
      'legs',
      'accept',
      ...numbers,
    ].toSorted(),
  );
});

describe('T13 an agent of the project whose strategy is code', () => {
  const CUSTOM = 'custom:./evil.mjs#Evil';
  const PAGES = [
    ['.loopfold/agents/a.md', `---\nstrategy: ${CUSTOM}\n---\nDo it.\n`],
    [
      'AGENTS.md',
      '## A\n---\nstrategy:\n  name: custom\n  config: { modulePath: ./evil.mjs, strategyName: Evil }\n---\nDo it.\n',
    ],
    ['.claude/agents/a.md', `---\nname: a\nstrategy: '{"name": "custom"}'\n---\nDo it.\n`],
    ['.opencode/agent/a.md', `---\nstrategy: ' ${CUSTOM}'\n---\nDo it.\n`],
  ] as const;
  const asking = async (folder: string, answer: 'read' | 'refuse') => {
    const asked: string[] = [];
    const trust = async ({ path }: { readonly path: string }, reason: string) => {
      asked.push(`${path.slice(folder.length + 1)}: ${reason}`);
      return answer;
    };
    return { asked, loaded: await configOf(folder, { flags: { agent: 'a' }, trust }) };
  };

  test.each(PAGES)('T13 in %s is asked about, and not used where it is refused', async (path, text) => {
    const folder = await folderWith({ '.git/HEAD': '', [path]: text });
    const { asked, loaded } = await asking(folder, 'refuse');
    expect(asked).toEqual([`${path}: it sets strategy`]);
    expect(loaded).toMatchObject({ kind: 'untrusted', file: join(folder, path), reason: 'it sets strategy' });
    expect((await asking(folder, 'read')).loaded).toMatchObject({ kind: 'loaded' });
  });

  test('T13 one that comes with the program is not asked about', async () => {
    const folder = await folderWith({
      '.git/HEAD': '',
      '.loopfold/agents/a.md': '---\nstrategy: fixed\n---\nDo it.\n',
    });
    const { asked, loaded } = await asking(folder, 'refuse');
    expect(asked).toEqual([]);
    expect(loaded).toMatchObject({ kind: 'loaded', config: { values: { strategy: 'fixed' } } });
  });

  test('T13 nor is the page of the person who calls, unless others can change it', async () => {
    const folder = await folderWith({
      '.git/HEAD': '',
      'nobody/.config/loopfold/agents/a.md': `---\nstrategy: ${CUSTOM}\n---\n`,
    });
    expect(await asking(folder, 'refuse')).toMatchObject({
      asked: [],
      loaded: { kind: 'loaded', config: { values: { strategy: CUSTOM } } },
    });
    await chmod(join(folder, 'nobody/.config/loopfold/agents/a.md'), 0o666);
    expect((await asking(folder, 'refuse')).asked).toEqual([expect.stringContaining('others can change it')]);
  });
});

describe('an untrusted file', () => {
  const mark = async () => {
    const folder = await folderWith();
    const ran = JSON.stringify(join(folder, 'ran'));
    const writing = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${ran}, '');\n`;
    const text = `${writing}export default { maxSteps: 1 };\n`;
    await writeFile(join(folder, 'loopfold.config.mjs'), text);
    return folder;
  };

  test('is not run, and refused with its reason', async () => {
    const folder = await mark();
    const loaded = await configOf(folder, { trust: async () => 'refuse' });
    expect(loaded).toEqual({
      kind: 'untrusted',
      file: join(folder, 'loopfold.config.mjs'),
      reason: 'it is code',
      sha256: expect.stringMatching(/^[\da-f]{64}$/) as string,
    } satisfies LoadedConfig);
    expect(await readdir(folder)).toEqual(['loopfold.config.mjs']);
  });

  test('is not run where it is not needed, with a warning', async () => {
    const folder = await mark();
    const loaded = await configOf(folder, { trust: async () => 'skip', isStrict: false });
    expect(loaded).toMatchObject({
      kind: 'loaded',
      config: { values: {}, warnings: [expect.stringContaining('is not read: it is code')] },
    });
    expect(await readdir(folder)).toEqual(['loopfold.config.mjs']);
  });

  test('is run once it is trusted', async () => {
    const folder = await mark();
    expect(await configOf(folder)).toMatchObject({ kind: 'loaded', config: { values: { maxSteps: 1 } } });
    expect(await readdir(folder)).toContain('ran');
  });
});

describe('what a person trusts', () => {
  test('is this file as it is: another one, or another word in it, is not', async () => {
    const ledger = new TrustLedger(join(await folderWith(), 'loopfold'));
    const folder = await folderWith({ 'loopfold.config.mjs': 'export default {};' });
    const twin = await folderWith({ 'loopfold.config.mjs': 'export default {};' });
    expect(await ledger.knows(await fileIn(folder))).toBe(false);
    await ledger.add(await fileIn(folder));
    expect(await ledger.knows(await fileIn(folder))).toBe(true);
    expect(await ledger.knows(await fileIn(twin))).toBe(false);
    await writeFile(join(folder, 'loopfold.config.mjs'), 'export default { };');
    expect(await ledger.knows(await fileIn(folder))).toBe(false);
  });

  test('is what a link leads to, not the link', async () => {
    const ledger = new TrustLedger(await folderWith());
    const folder = await folderWith({ 'good.mjs': 'export default {};', 'evil.mjs': 'process.exit();' });
    await symlink('good.mjs', join(folder, 'loopfold.config.mjs'));
    await ledger.add(await fileIn(folder));
    expect(await ledger.knows(await fileIn(folder))).toBe(true);
    const other = await folderWith({ 'evil.mjs': 'process.exit();' });
    await symlink(join(other, 'evil.mjs'), join(other, 'loopfold.config.mjs'));
    expect(await ledger.knows(await fileIn(other))).toBe(false);
  });

  test('lies in a file for the person alone, whole at any time', async () => {
    const home = join(await folderWith(), 'loopfold');
    const ledger = new TrustLedger(home);
    const files = await Promise.all(
      [1, 2, 3].map(async () => fileIn(await folderWith({ 'loopfold.config.json': '{}' }))),
    );
    for (const file of files) await ledger.add(file);
    expect((await stat(ledger.path)).mode & 0o777).toBe(0o600);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    expect(await readdir(home)).toEqual(['trusted.json']);
    expect(Object.keys(JSON.parse(await readFile(ledger.path, 'utf8')))).toEqual(files.map(({ path }) => path));
  });

  test.each([
    ['writable by others', 0o622, null],
    ['writable by the group', 0o660, null],
    ['damaged', 0o600, '{"a": 1'],
    ['of another shape', 0o600, '["a"]'],
  ])('is nothing where its file is %s', async (_how, mode, text) => {
    const ledger = new TrustLedger(await folderWith());
    const file = await fileIn(await folderWith({ 'loopfold.config.json': '{}' }));
    await ledger.add(file);
    if (text !== null) await writeFile(ledger.path, text);
    await chmod(ledger.path, mode);
    expect(await ledger.knows(file)).toBe(false);
    await ledger.add(file);
    expect(await ledger.knows(file)).toBe(true);
  });
});
