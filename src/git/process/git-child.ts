import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { errorCode } from '../../text/error-code.ts';

/** Several calls of git under one shell, where `"$@"` begins each of them, after a `shift` for each parameter. */
export interface GitScript {
  readonly lines: string;
  readonly parameters: readonly string[];
}

export interface GitStart {
  readonly args: readonly string[];
  /** Runs this, with `args` in each of its calls. */
  readonly script?: GitScript;
  readonly environment: NodeJS.ProcessEnv;
  /** Absent: its input is empty. */
  readonly input?: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Why git did not end by itself, or did not start. */
export type GitFailure =
  /** It was stopped before it had ended. */
  | { readonly kind: 'stopped' | 'timed_out' }
  /** There is no git. */
  | { readonly kind: 'missing' }
  /** `reason`: why it did not start, or what ended it, for people. */
  | { readonly kind: 'failed'; readonly reason: string };

export type GitEnded = { readonly kind: 'exited'; readonly exitCode: number } | GitFailure;

/** A call of git whose output is kept. */
export interface GitProcess extends GitStart {
  readonly timeoutMs: number;
  /** Of stdout, and of stderr. */
  readonly maxOutputBytes: number;
}

export type GitEnding =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly stdout: Uint8Array; readonly stderr: Uint8Array }
  | GitFailure;

/** A git that runs. Its stdout and its stderr are read by the caller; null where too many files are open. */
export interface GitChild {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  /** Resolves when git has ended and its output was read. Does not reject. */
  readonly ended: Promise<GitEnded>;
  /** Ends git, and what it started, unless it has ended. */
  readonly end: (why: GitFailure) => void;
}

/**
 * Starts git in a process group of its own, so that signals of a terminal do not reach it and what it starts ends with
 * it. Throws what no process can be given: an argument with a null byte, for one.
 *
 * An iteration starts git several times. `execa` would take more than twice the CPU of the start itself.
 */
export function startGit(request: GitStart): GitChild {
  const { args, script, environment, signal, input } = request;
  const [program, ...given] = script
    ? ['/bin/sh', '-c', script.lines, 'sh', ...script.parameters, 'git', ...args]
    : ['git', ...args];
  const stdio = [input ? 'pipe' : 'ignore', 'pipe', 'pipe'] as const;
  const child = spawn(program, given, { env: environment, detached: true, stdio: [...stdio] });
  const { stdout, stderr } = child;
  const { promise, resolve } = Promise.withResolvers<GitEnded>();
  let early: GitFailure | null = null;
  let isOver = false;
  let hasEnded = () => {};
  const end = (why: GitFailure) => {
    // Its process id may be that of another one by now.
    if (early || isOver) return;
    early = why;
    hasEnded = endGroup(child);
  };
  const stop = () => end({ kind: 'stopped' });
  signal?.addEventListener('abort', stop, { once: true });
  child.once('error', (error) => {
    resolve(errorCode(error) === 'ENOENT' ? { kind: 'missing' } : { kind: 'failed', reason: error.message });
  });
  child.once('close', (exitCode, killedBy) => {
    isOver = true;
    if (early) resolve(early);
    else if (exitCode === null) resolve({ kind: 'failed', reason: `it was ended by ${killedBy}` });
    else resolve({ kind: 'exited', exitCode });
  });
  // Git need not read all that it is given.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  const forget = endedOnExit(child);
  const ended = promise.finally(() => {
    hasEnded();
    signal?.removeEventListener('abort', stop);
    forget();
  });
  return { stdout, stderr, ended, end };
}

/** Between asking a group to end and making it: git may remove its lock files. */
const KILL_GRACE_MS = 2_000;

/** Ends a process with all of its group. Returns what is to be called when it has ended. */
function endGroup(child: ChildProcess): () => void {
  signalGroup(child, 'SIGTERM');
  const killing = setTimeout(() => {
    signalGroup(child, 'SIGKILL');
    // What has left the group may hold them open.
    for (const stream of child.stdio) stream?.destroy();
  }, KILL_GRACE_MS);
  return () => clearTimeout(killing);
}

const running = new Set<ChildProcess>();

/** A group is told to end when this process exits: git then removes its lock files. One listener serves all. */
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
