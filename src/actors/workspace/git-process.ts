import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { errorCode } from '../error-code.ts';

/** Between asking git to end and making it: it may remove its lock files. */
const KILL_GRACE_MS = 2_000;

/** Several calls of git under one shell, where `"$@"` begins each of them, after a `shift` for each parameter. */
export interface GitScript {
  readonly lines: string;
  readonly parameters: readonly string[];
}

export interface GitProcess {
  readonly args: readonly string[];
  /** Runs this, with `args` in each of its calls. */
  readonly script?: GitScript | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** Absent: its input is empty. */
  readonly input?: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** Of stdout, and of stderr. */
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export type GitEnding =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly stdout: Uint8Array; readonly stderr: Uint8Array }
  /** It was stopped before it had ended. */
  | { readonly kind: 'stopped' | 'timed_out' }
  /** There is no git. */
  | { readonly kind: 'missing' }
  /** `reason`: why it did not start, or what ended it, for people. */
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Runs git in a process group of its own, so that signals of a terminal do not reach it and what it starts ends with
 * it. Does not throw.
 *
 * An iteration starts git several times. `execa` would take more than twice the CPU of the start itself.
 */
export async function runGit(request: GitProcess): Promise<GitEnding> {
  if (request.signal?.aborted) return { kind: 'stopped' };
  try {
    return await ending(start(request), request);
  } catch (error) {
    // An argument with a null byte, for one, is refused before there is a process.
    return { kind: 'failed', reason: String(error) };
  }
}

function start({ args, script, environment, input }: GitProcess): ChildProcess {
  const stdin = input ? 'pipe' : 'ignore';
  const how = { env: environment, detached: true, stdio: [stdin, 'pipe', 'pipe'] } satisfies SpawnOptions;
  if (!script) return spawn('git', args, how);
  return spawn('/bin/sh', ['-c', script.lines, 'sh', ...script.parameters, 'git', ...args], how);
}

/** Resolves when git has ended and its output was read. */
function ending(child: ChildProcess, request: GitProcess): Promise<GitEnding> {
  const { signal, input, timeoutMs, maxOutputBytes } = request;
  const { promise, resolve } = Promise.withResolvers<GitEnding>();
  let early: GitEnding | null = null;
  let killing: NodeJS.Timeout | undefined;
  const kill = () => {
    signalGroup(child, 'SIGKILL');
    // What has left the group may hold them open.
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const end = (why: GitEnding) => {
    if (early) return;
    early = why;
    signalGroup(child, 'SIGTERM');
    killing = setTimeout(kill, KILL_GRACE_MS);
  };
  const stop = () => end({ kind: 'stopped' });
  const tooMuch = () => end({ kind: 'failed', reason: `it printed more than ${maxOutputBytes} bytes` });
  const stdout = received(child.stdout, maxOutputBytes, tooMuch);
  const stderr = received(child.stderr, maxOutputBytes, tooMuch);
  const timer = setTimeout(end, timeoutMs, { kind: 'timed_out' });
  signal?.addEventListener('abort', stop, { once: true });
  child.once('error', (error) => {
    resolve(errorCode(error) === 'ENOENT' ? { kind: 'missing' } : { kind: 'failed', reason: error.message });
  });
  child.once('close', (exitCode, killedBy) => {
    if (early) resolve(early);
    else if (exitCode === null) resolve({ kind: 'failed', reason: `it was ended by ${killedBy}` });
    else resolve({ kind: 'exited', exitCode, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) });
  });
  // Git need not read all that it is given.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  const forget = endedOnExit(child);
  return promise.finally(() => {
    clearTimeout(timer);
    clearTimeout(killing);
    signal?.removeEventListener('abort', stop);
    forget();
  });
}

function received(stream: ChildProcess['stdout'], maxBytes: number, tooMuch: () => void): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) tooMuch();
    else chunks.push(chunk);
  });
  return chunks;
}

const running = new Set<ChildProcess>();

/** Git is told to end when this process exits: it then removes its lock files. One listener serves every call. */
function endedOnExit(child: ChildProcess): () => void {
  if (running.size === 0) process.on('exit', endAll);
  running.add(child);
  return () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', endAll);
  };
}

function endAll(): void {
  for (const child of running) signalGroup(child, 'SIGTERM');
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Its group has ended.
  }
}
