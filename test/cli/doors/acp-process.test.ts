import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { environment, MAIN, MODEL, project } from '../program.ts';
import { type Edited, editorOver, textOf } from './edited.ts';

const ACP = ['acp', ...MODEL, '--loop', 'turn', '--tools', 'ask_user,shell', '--permission', 'ask shell', '--sandbox'];

/** The SDK's client as an editor that has started the program, and ends it as editors do: by closing its input. */
async function editorIn(cwd: string, picked: string[] = []): Promise<Edited> {
  const child = spawn(process.execPath, [MAIN, ...ACP, 'off'], {
    cwd,
    env: environment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  return editorOver({ input: child.stdin, output: child.stdout, stop }, ({ options }) => {
    const [first] = options;
    picked.push(first?.name ?? '');
    return first?.optionId ?? null;
  });
}

test('X11 the client of the SDK drives the program through question, approval, cancel and load', async () => {
  const asks = { tool: 'ask_user', arguments: { question: 'Which colour?', choices: ['red', 'blue'] } };
  const paints = { tool: 'shell', arguments: { command: 'echo red > wall.txt' } };
  const sleeps = { tool: 'shell', arguments: { command: 'sleep 60' } };
  const cwd = await project({ answers: [asks, paints, paints, sleeps, sleeps].map((call) => ({ calls: [call] })) });
  const picked: string[] = [];
  const first = await editorIn(cwd, picked);
  const { sessionId } = await first.open(cwd);
  const working = first.prompt(sessionId, 'Paint the wall.');
  await expect.poll(() => JSON.stringify(first.updates), { timeout: 20_000 }).toContain('shell sleep 60');
  await expect.poll(() => picked.length).toBe(3);
  await first.cancel(sessionId);
  expect((await working).stopReason).toBe('cancelled');
  expect(picked[0]).toBe('red');
  await first.close();
  const second = await editorIn(cwd);
  await second.load(sessionId, cwd);
  expect(textOf(second.updates, 'user_message_chunk')).toBe('Paint the wall.');
  expect(JSON.stringify(second.updates)).toContain('echo red > wall.txt');
  await second.close();
});
