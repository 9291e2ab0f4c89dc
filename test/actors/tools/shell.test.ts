import { readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FLOOD_BYTES, MAX_OUTPUT_BYTES } from '../../../src/actors/tools/tool.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { calling, completed, containing, failed, interrupted, timed, workspace } from './workspace.ts';

describe('shell', () => {
  test.each([
    ['printf done', 'done'],
    ['true', '[no output]'],
    ['echo no; exit 3', 'no\n[exit code 3]'],
    ['printf no; exit 3', 'no\n[exit code 3]'],
    ['exit 3', '[exit code 3]'],
    ['kill -9 $$', '[ended by SIGKILL]'],
  ])('answers with what was printed and how it ended: %s', async (command, output) => {
    const { directory } = await workspace();
    expect(await calling(directory, 'shell', { command })).toEqual([timed(completed(output))]);
  });

  test('works in the workspace', async () => {
    const { directory, read } = await workspace();
    await calling(directory, 'shell', { command: 'echo text > a.txt' });
    expect(await read('a.txt')).toBe('text\n');
  });

  test('sees, of our environment, what every command sees and what this run passes on, by name', async () => {
    const { directory } = await workspace();
    vi.stubEnv('API_KEY', 'secret');
    vi.stubEnv('NODE_ENV', 'test');
    onTestFinished(() => void vi.unstubAllEnvs());
    const command = 'printf "$API_KEY,$NODE_ENV,${PATH:+path}"';
    expect(await calling(directory, 'shell', { command })).toEqual([timed(completed(',,path'))]);
    const passed = await calling(directory, 'shell', { command }, { environment: ['NODE_ENV'] });
    expect(passed).toEqual([timed(completed(',test,path'))]);
  });

  test('shows what is printed while it is printed', async () => {
    const { directory } = await workspace();
    const shown: string[] = [];
    await calling(directory, 'shell', { command: 'echo one; echo two' }, { delta: ({ text }) => shown.push(text) });
    expect(shown.join('')).toBe('one\ntwo\n');
  });

  test('cuts long output once, in the middle', async () => {
    const { directory } = await workspace();
    const [event] = await calling(directory, 'shell', { command: 'seq 20000; exit 1' });
    if (event?.type !== 'tool.completed') throw new Error('it failed');
    expect(event.payload.output).toMatch(
      /^1\n2\n[^…]*… \d+ bytes left out …[^…]*\n20000\n\[the whole output is in [^\n]+\]\n\[exit code 1\]$/,
    );
    expect(Buffer.byteLength(event.payload.output)).toBeLessThanOrEqual(MAX_OUTPUT_BYTES);
  });

  testInTurn('a command that hangs is a failed call that shows what it printed', async () => {
    const { directory } = await workspace();
    const events = await calling(directory, 'shell', { command: 'echo so far; sleep 300', timeoutSeconds: 1 });
    expect(events).toEqual([timed(failed('tool_threw', containing('so far\n\n[ended after 1 s without result]')))]);
  });

  test('a command that floods is ended and a failed call', async () => {
    const { directory } = await workspace();
    const [event] = await calling(directory, 'shell', { command: 'yes' });
    expect(event).toEqual(
      timed(failed('tool_threw', containing(`[ended: it printed more than ${FLOOD_BYTES} bytes]`))),
    );
  });

  test('a command that cannot start is a failed call', async () => {
    const { directory } = await workspace();
    const events = await calling(directory, 'shell', { command: 'true\0' });
    expect(events).toEqual([failed('tool_threw', containing('could not be started'))]);
  });

  test('T11 aborted, it is ended with all its children, and what it printed is kept', async () => {
    const { directory } = await workspace();
    const stop = new AbortController();
    const command = 'sleep 300 & echo $!; wait';
    const options = { signal: stop.signal, delta: () => stop.abort('abort') };
    const events = await calling(directory, 'shell', { command }, options);
    expect(events).toEqual([interrupted(expect.stringMatching(/\(abort\)[^]*: \d+\n\n\[stopped\]$/))]);
    const [event] = events;
    const pid = event?.type === 'tool.interrupted' ? /: (\d+)\n/.exec(event.payload.reason)?.[1] : undefined;
    expect(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'Z')).toMatch(/Z/);
  });
});
