import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LoadedConfig, Surroundings } from '../../src/config/load-config.ts';
import { configOf, folderWith } from './places.ts';

const NAME = 'loopfold.config.json';

/** A project, and a call there by a user who trusts nothing that has to be trusted. */
async function project(config?: object) {
  const folder = await folderWith({ '.git/HEAD': '', 'home/x': '', ...(config ? { [NAME]: config } : {}) });
  const use = async (how: Partial<Surroundings> = {}): Promise<LoadedConfig> => {
    const env = { HOME: join(folder, 'home') };
    const loaded = await configOf(folder, { env, trust: async () => 'refuse', ...how });
    if (loaded.kind === 'loaded') await loaded.config.noteUse?.();
    return loaded;
  };
  const say = (next: object) => writeFile(join(folder, NAME), JSON.stringify(next));
  return { folder, use, say };
}

const untrusted = (reason: string) => ({ kind: 'untrusted', reason });

test('the first use of a project asks nothing, and neither does the next one', async () => {
  const { use } = await project({ checks: ['npm test'], maxSteps: 5 });
  expect(await use()).toMatchObject({ kind: 'loaded' });
  expect(await use()).toMatchObject({ kind: 'loaded' });
});

test.each([
  ['checks', { checks: ['touch PWNED'], maxSteps: 5 }],
  ['checks', { maxSteps: 5 }],
  ['tools', { checks: ['npm test'], maxSteps: 5, tools: ['shell'] }],
  ['protect, unprotect', { checks: ['npm test'], maxSteps: 5, protect: ['checks'], unprotect: ['src'] }],
  ['detectors', { checks: ['npm test'], maxSteps: 5, detectors: ['off'] }],
  ['maxSteps, strategy', { checks: ['npm test'], maxSteps: 500, strategy: 'fixed' }],
])('%s that changed since the last use are asked about', async (names, next) => {
  const { use, say } = await project({ checks: ['npm test'], maxSteps: 5 });
  await use();
  await say(next);
  expect(await use()).toMatchObject(untrusted(`${names} changed since it was last used`));
  expect(await use({ isStrict: false })).toMatchObject({ kind: 'loaded' });
});

test('a file that appears in a project that was used without one is asked about', async () => {
  const { use, say } = await project();
  await use();
  await say({ checks: ['touch PWNED'] });
  expect(await use()).toMatchObject(untrusted('checks changed since it was last used'));
});

test('a file that was used and is gone is said to be', async () => {
  const { use, folder } = await project({ checks: ['npm test'] });
  await use();
  await rm(join(folder, NAME));
  const warnings = [`${join(folder, NAME)} was used before, and is gone: nothing of it counts`];
  expect(await use()).toMatchObject({ kind: 'loaded', config: { warnings } });
  expect(await use()).toMatchObject({ kind: 'loaded', config: { warnings: [] } });
});

test('what decides nothing may change, and a change that is trusted is the last use', async () => {
  const { use, say } = await project({ checks: ['npm test'], model: 'openai/gpt-5' });
  await use();
  await say({ model: 'ollama/small', checks: ['npm test'], outputFormat: 'json' });
  expect(await use()).toMatchObject({ kind: 'loaded' });
  await say({ checks: ['npm run all'] });
  expect(await use({ trust: async () => 'read' })).toMatchObject({ kind: 'loaded' });
  expect(await use()).toMatchObject({ kind: 'loaded' });
});

test('a call that remembers nothing neither asks nor counts as a use', async () => {
  const { use, say } = await project({ checks: ['npm test'] });
  await use();
  await say({ checks: ['npm run all'] });
  expect(await use({ remembersUse: false })).toMatchObject({ kind: 'loaded' });
  expect(await use()).toMatchObject({ kind: 'untrusted' });
});

test('the record is for this user alone, and has digests in place of values', async () => {
  const { use, folder } = await project({ checks: ['npm test'] });
  await use();
  const path = join(folder, 'home/.config/loopfold/used.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    [folder]: { [folder]: { path: join(folder, NAME), digests: { checks: expect.stringMatching(/^[\da-f]{16}$/) } } },
  });
});

test('a file of another name, or a nearer one, is compared with the one that it replaces', async () => {
  const { use, folder } = await project({ checks: ['npm test'], maxSteps: 5 });
  await use();
  await mkdir(join(folder, 'app'));
  await writeFile(join(folder, 'app', NAME), JSON.stringify({ outputFormat: 'text' }));
  const inApp = { directory: join(folder, 'app'), cwd: join(folder, 'app') };
  expect(await use(inApp)).toMatchObject(untrusted('maxSteps, checks changed since it was last used'));

  await writeFile(join(folder, 'loopfold.config.mjs'), 'export default { checks: ["npm test"] };');
  await rm(join(folder, NAME));
  expect(await use({ trust: async () => 'read' })).toMatchObject({ kind: 'loaded' });
  await rm(join(folder, 'loopfold.config.mjs'));
  await writeFile(join(folder, NAME), JSON.stringify({ outputFormat: 'text' }));
  expect(await use()).toMatchObject(untrusted('the file changed since it was last used'));
});

test.each([{ graceMs: 0 }, { adaptiveIterations: true }, { providers: { openai: { prices: {} } } }])(
  'a further option that decides is asked about: %j',
  async (more) => {
    const { use, say } = await project({ checks: ['npm test'] });
    await use();
    await say({ checks: ['npm test'], ...more });
    expect(await use()).toMatchObject(untrusted(`${Object.keys(more).join()} changed since it was last used`));
  },
);

test('tools that an agent’s page has got since its last use are asked about', async () => {
  const { use, folder } = await project({ checks: ['npm test'] });
  const page = (tools: string) =>
    writeFile(
      join(folder, '.claude/agents/Planner.md'),
      `---\nname: Planner\ndescription: x\ntools: ${tools}\n---\nPlan.`,
    );
  await mkdir(join(folder, '.claude/agents'), { recursive: true });
  await page('Read');
  const first = await use({ flags: { agent: 'Planner' } });
  expect(first).toMatchObject({ kind: 'loaded' });
  await page('Bash, Read');
  expect(await use({ flags: { agent: 'Planner' } })).toMatchObject(untrusted('tools changed since it was last used'));
});
