import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentFiles } from '../../../src/app/start/agent-files.ts';
import { settingsOf } from '../../support/facts.ts';

const FILES = {
  'work/.git/HEAD': 'ref: refs/heads/main\n',
  'work/AGENTS.md':
    '# Prose\n\n## Scout\n---\nsteps: 7\nbudget: 9\nmodel: openai/gpt-5-mini\ntools: [read, shell]\n---\n\nYou look.\n\n## Broken\n---\nsteps: many\n---\n\n## Actor\n---\nmodel: script:lines.json\n---\n',
  'home/loopfold/agents/own.md': '---\nmodel: script:own.json\n---\n\nYou are mine.\n',
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loopfold-agents-'));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const look = (name: string, tools: string[] = ['read', 'delegate', 'finish']) =>
  agentFiles({ XDG_CONFIG_HOME: join(folder, 'home') })(name, {
    ...settingsOf('turn'),
    directory: join(folder, 'work'),
    tools,
  });

test('an agent is found by its name, with its words and numbers, and no tool that the delegator lacks', async () =>
  expect(await look('scout')).toEqual({
    kind: 'agent',
    agent: {
      name: 'Scout',
      system: 'You look.',
      model: 'openai/gpt-5-mini',
      maxSteps: 7,
      maxToolCalls: 9,
      tools: ['read'],
    },
  }));

test('an agent without a list of tools has the delegator’s, but cannot delegate', async () =>
  expect(await look('Refactorer')).toMatchObject({
    kind: 'agent',
    agent: { name: 'Refactorer', maxSteps: 5, tools: ['read', 'finish'] },
  }));

test('an unknown agent: the known ones are listed', async () =>
  expect(await look('Tester')).toEqual({
    kind: 'unknown',
    known: ['Actor', 'Architect', 'Broken', 'Coder', 'Refactorer', 'Scout', 'own'],
  }));

test.each([
  ['Broken', /AGENTS\.md:\d+: steps: expected a whole number/],
  ['Actor', /^the agent Actor cannot be used: it brings a scripted model/],
])('%s, which cannot be used, says why', async (name, reason) =>
  expect(await look(name)).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) }),
);

test('a scripted model in the folder of the user is trusted', async () =>
  expect(await look('own')).toMatchObject({
    kind: 'agent',
    agent: { model: expect.stringMatching(/^script:.*own\.json$/) },
  }));
