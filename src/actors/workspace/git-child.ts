import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import type { Readable } from 'node:stream';
import { errorCode } from '../error-code.ts';
import { endedOnExit, endGroup } from './git-group.ts';

/** Several calls of git under one shell, where `"$@"` begins each of them, after a `shift` for each parameter. */
export interface GitScript {
  readonly lines: string;
  readonly parameters: readonly string[];
}

export interface GitStart {
  readonly args: readonly string[];
  /** Runs this, with `args` in each of its calls. */
  readonly script?: GitScript | undefined;
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
  const { signal, input } = request;
  const child = spawned(request);
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

function spawned({ args, script, environment, input }: GitStart): ChildProcess {
  const stdin = input ? 'pipe' : 'ignore';
  const how = { env: environment, detached: true, stdio: [stdin, 'pipe', 'pipe'] } satisfies SpawnOptions;
  if (!script) return spawn('git', args, how);
  return spawn('/bin/sh', ['-c', script.lines, 'sh', ...script.parameters, 'git', ...args], how);
}
