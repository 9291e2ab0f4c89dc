import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../../../../src/config/options.ts';
import type { Loops } from '../../../../src/hosts/local/local-host.ts';
import { toolServices } from '../../../../src/hosts/local/services/tool-services.ts';
import { firstRequest } from '../../../../src/loops/first-request.ts';
import { shippedLoops } from '../../../../src/loops/index.ts';
import { repository, temporaryFolder } from '../../../git/repository.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { eventsOf, served, systemIn } from './served.ts';

const TURN = { prompt: 'Fix it.', loop: 'turn' } as const;

describe('G1 the built-in prompt arrives', () => {
  testInTurn.each(['openai-chat/m', 'openai/m', 'anthropic/m', 'google/m'])('G1 %s', async (model) => {
    const { server, start } = await served();
    const { root: directory } = await repository({ 'a.txt': 'a' });

    const { settings } = await start({ ...TURN, agent: 'Coder', model, directory, systemAppend: 'Write in French.' });

    const [request] = server.requests;
    const system = systemIn(request);
    expect(system).toBe(`${settings.system}\n\nWrite in French.`);
    expect(system).toContain(`Workspace: ${directory}`);
    expect(settings).toMatchObject({ systemVersion: 'coder@1', limits: { maxToolCalls: 200, maxSteps: 200 } });
  });
});

test('G1 a bare turn of the library has no system prompt and 50 tool calls', async () => {
  const { server, start } = await served();

  const { settings } = await start({ ...TURN, directory: await temporaryFolder() });

  expect(settings).toMatchObject({ system: null, agent: null, limits: { maxToolCalls: 50 } });
  expect(settings.systemVersion).toBeUndefined();
  expect(systemIn(server.requests[0])).toBeUndefined();
});

test('G1 a system prompt of the user replaces the built-in one as a whole', async () => {
  const { server, start } = await served();

  const { settings } = await start({
    ...TURN,
    agent: 'Coder',
    system: 'You translate.',
    directory: await temporaryFolder(),
  });

  expect(settings.systemVersion).toBeUndefined();
  expect(systemIn(server.requests[0])).toBe('You translate.');
});

testInTurn('G1 every attempt has the prompt that was recorded, though the branch has changed', async () => {
  const { server, start } = await served([{ text: 'A first attempt.' }, { text: 'A second one.' }]);
  const { root: directory, git } = await repository({ 'a.txt': 'a' });
  await git('switch', '--quiet', '--create', 'topic');

  const { settings } = await start({
    prompt: 'Fix it.',
    checks: ['git switch --quiet --create later-$$ && false'],
    checkIn: 'workspace',
    maxIterations: 2,
    directory,
  });

  expect(settings.system).toContain('Git: branch topic');
  expect(server.requests.map(systemIn)).toEqual([settings.system, settings.system]);
});

testInTurn('G1 a folder outside of git has no branch, and a commit stands where no branch is checked out', async () => {
  const { start } = await served();
  const outside = await start({ ...TURN, agent: 'coder', directory: await temporaryFolder() });
  const { root: directory, git, commit } = await repository({ 'a.txt': 'a' });
  await commit();
  await git('checkout', '--quiet', '--detach');
  const detached = await start({ ...TURN, agent: 'CODER', directory });

  expect(outside.settings.system).toContain('Git: none');
  expect(detached.settings.system).toMatch(/Git: no branch, commit [\da-f]{12}\n/);
});

/** What the first decision of a run says of its checks. */
async function saidFirst(loops: Loops, run: string): Promise<string | null> {
  const [first] = (await eventsOf(loops, run)).filter((event) => event.type === 'decision.made');
  return first?.payload.feedback ?? null;
}

testInTurn.each([
  { ...TURN, agent: 'Coder' },
  { ...TURN, maxSteps: 0, system: 'You talk.' },
  { prompt: 'Fix it.', checks: ['false'], checkIn: 'workspace', maxIterations: 1 },
  { prompt: 'Fix it.', labels: ['ralph-wiggum-1'] },
] as const)('G1 the first request is known from the settings alone: %j', async (options) => {
  const { server, loops, start } = await served();
  const { root: directory } = await repository({ 'a.txt': 'a' });

  const { run, settings } = await start({ ...options, directory } as RunOptions);

  const feedback = await saidFirst(loops, run);
  const request = firstRequest(settings, { ...toolServices(), loops: shippedLoops, feedback });
  const sent = server.requests[0]?.body as {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  };
  expect(request.system).toBe(systemIn(server.requests[0]));
  expect(request.messages.map((message) => 'text' in message && message.text)).toEqual(
    sent.messages.filter(({ role }) => role === 'user').map(({ content }) => content),
  );
  expect(request.tools.map(({ name }) => name)).toEqual((sent.tools ?? []).map((tool) => tool.function.name));
});
