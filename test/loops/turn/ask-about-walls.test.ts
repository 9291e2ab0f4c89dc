import { expect, test } from 'vitest';
import type { LoopEvent, ToolCall } from '../../../machines/events.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Actor } from '../../../src/actors/actor.ts';
import type { CommandResult } from '../../../src/actors/subprocess.ts';
import type { ToolInput } from '../../../src/actors/tools/tool-actor.ts';
import { askingAboutWalls } from '../../../src/loops/turn/effects/ask-about-walls.ts';
import { WallOpenings } from '../../../src/loops/turn/wall-openings.ts';

const CALL: ToolCall = {
  callId: '0.0',
  providerId: null,
  tool: 'shell',
  arguments: { command: 'curl https://example.org/x' },
};
const REFUSED: CommandResult = {
  kind: 'exited',
  exitCode: 22,
  signal: null,
  output: 'curl: (22)\n[walls: from here example.org:443 cannot be reached; only the user can open that]\n',
  durationMs: 1,
  refused: ['example.org:443'],
};
const EDIT = { rules: [], profile: 'edit' as const };

/** The shell, with a command that ends as it is told. */
const shell: Actor<ToolInput> = {
  effectClass: () => 'once',
  async *execute({ callId, runCommand }) {
    const result = await runCommand?.({} as never);
    yield { type: 'tool.completed', payload: { callId, output: result?.kind ?? '' } } as LoopEvent;
  },
};

interface Story {
  readonly result?: CommandResult;
  readonly permissions?: RunSettings['permissions'];
  readonly network?: string;
  readonly walls?: WallOpenings;
}

/** The last event of the call. */
async function end({ result = REFUSED, permissions = EDIT, network = 'none', walls = new WallOpenings() }: Story) {
  const sandbox = { network, writable: [] };
  const settings = { model: 'm', directory: '/here', sandbox, permissions } as unknown as RunSettings;
  const input = { ...CALL, directory: '/here', environment: [], readable: [], runCommand: async () => result };
  const asked = { id: 'r/1/0', attempt: 1, signal: new AbortController().signal, delta: () => {} };
  const events: LoopEvent[] = [];
  for await (const event of askingAboutWalls(shell, CALL, { settings, walls }).execute(input, asked))
    events.push(event);
  return events.at(-1);
}

test('X9 the question about walls names the place that the gate has refused, and is bound to the call', async () => {
  expect(await end({})).toMatchObject({
    type: 'server.asked',
    payload: { callId: '0.0', question: { opens: ['example.org:443'], message: 'curl: (22)\n[exit code 22]' } },
  });
});

test('X9 where there is no network the place is the one that the command names, and no printed one', async () => {
  const output = 'could not resolve host: evil.example\n';
  const { refused: _, ...rest } = { ...REFUSED, output };
  expect(await end({ result: rest })).toMatchObject({ payload: { question: { opens: ['example.org'] } } });
  expect(await end({ result: rest, network: 'registries' })).toMatchObject({ type: 'tool.completed' });
});

test.each<[string, Story]>([
  ['the command has succeeded', { result: { ...REFUSED, exitCode: 0 } as CommandResult }],
  ['no person is there', { permissions: { ...EDIT, unattended: true } }],
  ['everything goes without a question', { permissions: { rules: [], profile: 'all' } }],
  ['the run has no rules', { permissions: { rules: [] } }],
  [
    'a rule denies the host',
    { permissions: { ...EDIT, rules: [{ action: 'deny', tool: 'fetch', by: 'host', pattern: '*.org' }] } },
  ],
])('X9 walls ask no person where %s', async (_, story) => {
  expect(await end(story)).toMatchObject({ type: 'tool.completed' });
});

test('X9 a refusal that a person does not open is told with what was printed, and not asked again', async () => {
  const walls = new WallOpenings();
  const asked = await end({ walls });
  if (asked?.type !== 'server.asked') throw new Error('nothing was asked');
  walls.observe(asked);
  const form = { digest: asked.payload.question.digest, action: 'decline' } as const;
  walls.observe({ type: 'server.answered', payload: { callId: '0.0', answer: 'denied', form } });
  const told = await end({ walls });
  expect(told).toMatchObject({ type: 'tool.failed', payload: { fault: { code: 'not_permitted' } } });
  expect(JSON.stringify(told)).toContain('curl: (22)');
  if (told) walls.observe(told);
  expect(await end({ walls })).toMatchObject({ type: 'tool.completed' });
});

test('X9 a run asks 20 questions about its walls, and none after them', async () => {
  const walls = new WallOpenings();
  const asked = await end({ walls });
  if (asked?.type !== 'server.asked') throw new Error('nothing was asked');
  for (let count = 0; count < 19; count += 1) walls.observe(asked);
  expect(await end({ walls })).toMatchObject({ type: 'server.asked' });
  walls.observe(asked);
  expect(await end({ walls })).toMatchObject({ type: 'tool.completed' });
});
