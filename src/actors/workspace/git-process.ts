import type { Readable } from 'node:stream';
import { type GitEnding, type GitProcess, startGit } from './git-child.ts';
import { runInShell } from './git-shell.ts';

/** Runs git to its end, and keeps what it prints. Does not throw. */
export async function runGit(request: GitProcess): Promise<GitEnding> {
  if (request.signal?.aborted) return { kind: 'stopped' };
  try {
    return (await runInShell(request)) ?? (await collected(request));
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
