import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type GitStreaming, streamGit } from '../../src/git/process/git-process.ts';
import { testInTurn } from '../support/in-turn.ts';
import { gone, standInGit, WITH_CHILD } from './stand-in-git.ts';

const PATIENT_MS = 120_000;
const MIB = 1024 * 1024;

const LIMITS = { silenceMs: PATIENT_MS, maxErrorBytes: 1_000 };

/** What was handed out, and how git ended. */
async function read(request: GitStreaming) {
  const pieces = streamGit(request);
  let text = '';
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return { text, ending: value };
    text += Buffer.from(value).toString('latin1');
  }
}

test('G10 all that git prints is handed out, then how it ended, with the beginning of its errors', async () => {
  const { call } = await standInGit(`printf 'a\\0b\\377'; head -c 2000 /dev/zero | tr '\\0' e >&2; exit 3`);
  const { text, ending } = await read({ ...call, ...LIMITS });
  expect(text).toBe('a\0b\xff');
  expect(ending).toEqual({ kind: 'exited', exitCode: 3, stderr: 'e'.repeat(1_000) });
});

testInTurn('G10 of a gigantic output no more is in memory than its reader was given last', async () => {
  const total = 160 * MIB;
  const { call } = await standInGit(`head -c ${total} /dev/zero`);
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const held = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = held();
  let bytes = 0;
  let most = 0;
  for await (const piece of streamGit({ ...call, ...LIMITS })) {
    const isAtStep = Math.floor(bytes / (32 * MIB)) < Math.floor((bytes + piece.length) / (32 * MIB));
    bytes += piece.length;
    if (isAtStep) most = Math.max(most, held() - before);
  }
  expect(bytes).toBe(total);
  // Garbage that is not collected yet counts, too.
  expect(most).toBeLessThan(total / 2);
});

test('G10 the time that its reader takes counts for no limit; its own silence does', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { call } = await standInGit(`head -c ${MIB} /dev/zero; sleep 600`);
  const pieces = streamGit({ ...call, ...LIMITS });
  let bytes = 0;
  while (bytes < MIB) {
    const { value } = await pieces.next();
    bytes += value instanceof Uint8Array ? value.length : 0;
    vi.advanceTimersByTime(PATIENT_MS * 2);
  }
  const silent = pieces.next();
  await vi.waitUntil(() => vi.getTimerCount() > 0);
  vi.advanceTimersByTime(PATIENT_MS);
  expect(await silent).toEqual({ done: true, value: { kind: 'timed_out' } });
});

test('G10 a reader that leaves ends git and what it started', async () => {
  const { call, told } = await standInGit(`${WITH_CHILD}; while :; do echo more; done`);
  const pieces = streamGit({ ...call, ...LIMITS });
  await pieces.next();
  await pieces.return({ kind: 'stopped' });
  await gone(await told());
});

test('G10 a git that is killed, missing or told to stop is not taken for a whole output', async () => {
  const killed = await standInGit('echo begun; kill -KILL $$');
  expect(await read({ ...killed.call, ...LIMITS })).toEqual({
    text: 'begun\n',
    ending: { kind: 'failed', reason: 'it was ended by SIGKILL' },
  });
  const none = { ...killed.call, environment: { PATH: join(killed.folder, 'none') } };
  expect(await read({ ...none, ...LIMITS })).toEqual({ text: '', ending: { kind: 'missing' } });
  const slow = await standInGit('echo begun; sleep 600');
  const stop = new AbortController();
  const pieces = streamGit({ ...slow.call, ...LIMITS, signal: stop.signal });
  await pieces.next();
  stop.abort();
  expect(await pieces.next()).toEqual({ done: true, value: { kind: 'stopped' } });
});
