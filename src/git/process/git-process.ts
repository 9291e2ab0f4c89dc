import type { Readable } from 'node:stream';
import {
  type GitChild,
  type GitEnded,
  type GitEnding,
  type GitFailure,
  type GitProcess,
  type GitStart,
  startGit,
} from './git-child.ts';

/** Runs git to its end, and keeps what it prints. Does not throw. */
export async function runGit(request: GitProcess): Promise<GitEnding> {
  if (request.signal?.aborted) return { kind: 'stopped' };
  try {
    return await collected(request);
  } catch (error) {
    return { kind: 'failed', reason: String(error) };
  }
}

async function collected(request: GitProcess): Promise<GitEnding> {
  const { timeoutMs, maxOutputBytes } = request;
  const git = startGit(request);
  const tooMuch = () => git.end({ kind: 'failed', reason: `it printed more than ${maxOutputBytes} bytes` });
  const stdout = received(git.stdout, maxOutputBytes, tooMuch);
  const stderr = received(git.stderr, maxOutputBytes, tooMuch);
  const timer = setTimeout(git.end, timeoutMs, { kind: 'timed_out' });
  const ended = await git.ended;
  clearTimeout(timer);
  return ended.kind === 'exited' ? { ...ended, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) } : ended;
}

function received(stream: Readable | null, maxBytes: number, tooMuch: () => void): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) tooMuch();
    else chunks.push(chunk);
  });
  return chunks;
}

export interface GitStreaming extends GitStart {
  /** How long git may print nothing. What the reader takes to handle a piece counts for no limit. */
  readonly silenceMs: number;
  /** What is kept of stderr: its beginning. */
  readonly maxErrorBytes: number;
}

/** `stderr`: its beginning. */
export type StreamEnding = Extract<GitEnded, { kind: 'exited' }> & { readonly stderr: string };

/**
 * Runs git, and hands out what it prints piece by piece: git waits while its reader does, so that no more than the
 * buffer of a pipe is in memory, however much it prints. A reader that leaves ends git. Does not throw: returns how git
 * ended, without which what was printed may not be whole.
 */
export async function* streamGit(request: GitStreaming): AsyncGenerator<Uint8Array, StreamEnding | GitFailure> {
  if (request.signal?.aborted) return { kind: 'stopped' };
  const git = started(request);
  if ('kind' in git) return git;
  const stderr = beginningOf(git.stderr, request.maxErrorBytes);
  const pieces = git.stdout?.[Symbol.asyncIterator]();
  const within = async <Value>(awaited: Promise<Value>): Promise<Value> => {
    const timer = setTimeout(git.end, request.silenceMs, { kind: 'timed_out' });
    return awaited.finally(() => clearTimeout(timer));
  };
  const unread = (error: unknown) => {
    git.end({ kind: 'failed', reason: String(error) });
    return { done: true, value: undefined } as const;
  };
  try {
    while (pieces) {
      const { done, value } = await within(pieces.next().catch(unread));
      if (done) break;
      yield value;
    }
    const ended = await within(git.ended);
    return ended.kind === 'exited' ? { ...ended, stderr: Buffer.concat(stderr).toString() } : ended;
  } finally {
    git.end({ kind: 'stopped' });
    git.stdout?.destroy();
    await git.ended;
  }
}

function started(request: GitStart): GitChild | GitFailure {
  try {
    return startGit(request);
  } catch (error) {
    return { kind: 'failed', reason: String(error) };
  }
}

function beginningOf(stream: Readable | null, maxBytes: number): readonly Buffer[] {
  const kept: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    kept.push(chunk.subarray(0, Math.max(0, maxBytes - bytes)));
    bytes += chunk.length;
  });
  return kept;
}

/**
 * Waits for work that runs side by side. All of it has ended before the first failure is thrown: what still writes
 * could not be removed.
 */
export async function together<Work extends readonly unknown[] | []>(work: Work) {
  await Promise.allSettled(work);
  return Promise.all(work);
}
