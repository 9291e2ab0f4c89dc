import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type { Socket } from 'node:net';
import type { GitEnding, GitFailure, GitProcess } from './git-child.ts';
import { MarkedOutput } from './marked-output.ts';
import { endedOnExit, endGroup } from './git-group.ts';
import { shellCommand } from './shell-command.ts';
import { shellEnvironment } from './shell-environment.ts';

// A start of a process copies the page tables of the one that starts it, which takes milliseconds where that is large.
// So this process keeps a shell, which is small, and has git started by that. A shell reads commands from its stdin
// until nothing more comes: this process has ended.

/** Shells that wait for their next command. */
const MAX_IDLE = 4;
/** What a shell says of a program that it does not find. */
const NOT_FOUND = 127;
/** Added to the number of a signal. Git itself uses 128 and 129. */
const BY_SIGNAL = 128;
const GIT_USAGE = 129;

interface Shell {
  readonly child: ChildProcess;
  /** It was started with this. */
  readonly environment: NodeJS.ProcessEnv;
  readonly commands: Socket;
  readonly stdout: Socket;
  readonly stderr: Socket;
}

const idle = new Set<Shell>();

/** Runs git in a shell that is kept, with the same endings. Null: it is not for a shell, and nothing was started. */
export async function runInShell(request: GitProcess): Promise<GitEnding | null> {
  const mark = randomUUID();
  const shell = taken(request.environment);
  if (!shell) return null;
  const command = shellCommand(request, mark, shell.environment);
  if (command !== null) return performed(command, mark, shell, request);
  giveBack(shell);
  return null;
}

function taken(environment: NodeJS.ProcessEnv): Shell | null {
  // The last one first: the others are for times of many calls.
  const waiting = [...idle].at(-1);
  if (waiting) idle.delete(waiting);
  const shell = waiting ?? started(shellEnvironment(environment));
  if (shell) for (const part of parts(shell)) part.ref();
  return shell;
}

/** Null where too many files are open, or there is no shell. */
function started(environment: NodeJS.ProcessEnv): Shell | null {
  const child = spawn('/bin/sh', [], { env: environment, detached: true, stdio: 'pipe' });
  child.on('error', () => {});
  // Without files for its pipes there is no process, and Node makes no list of them.
  const [commands, stdout, stderr] = (child.stdio as readonly (Socket | null)[] | undefined) ?? [];
  if (!stdout || !stderr || !commands) return null;
  const shell = { child, environment, commands, stdout, stderr };
  // It may end before it has read all.
  commands.on('error', () => {});
  child.once('exit', () => idle.delete(shell));
  return shell;
}

/** It does not keep this process from ending. */
function giveBack(shell: Shell): void {
  for (const part of parts(shell)) part.unref();
  if (idle.size < MAX_IDLE) idle.add(shell);
  else shell.commands.end();
}

const parts = ({ child, commands, stdout, stderr }: Shell): readonly { ref(): void; unref(): void }[] => [
  child,
  commands,
  stdout,
  stderr,
];

async function performed(command: string, mark: string, shell: Shell, request: GitProcess): Promise<GitEnding | null> {
  const { child } = shell;
  const { timeoutMs, maxOutputBytes, signal } = request;
  const { promise, resolve } = Promise.withResolvers<GitEnding | null>();
  let early: GitFailure | null = null;
  let hasEnded = () => {};
  const end = (why: GitFailure) => {
    if (early) return;
    early = why;
    hasEnded = endGroup(child);
  };
  const tooMuch = () => end({ kind: 'failed', reason: `it printed more than ${maxOutputBytes} bytes` });
  const ended = () => {
    if (stdout.status === null || stderr.status === null || early) return;
    resolve(endingOf(Number(stdout.status), stdout.bytes(), stderr.bytes()));
  };
  const stdout = new MarkedOutput(shell.stdout, mark, maxOutputBytes, { tooMuch, ended });
  const stderr = new MarkedOutput(shell.stderr, mark, maxOutputBytes, { tooMuch, ended });
  const closed = () => {
    // It was ended from elsewhere: where nothing has begun, git can still be started otherwise.
    if (early) resolve(early);
    else resolve(stdout.hasBegun ? { kind: 'failed', reason: 'its shell was ended' } : null);
  };
  child.once('close', closed);
  const stop = () => end({ kind: 'stopped' });
  signal?.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(end, timeoutMs, { kind: 'timed_out' });
  const forget = endedOnExit(child);
  shell.commands.write(command);
  const ending = await promise;
  clearTimeout(timer);
  hasEnded();
  forget();
  signal?.removeEventListener('abort', stop);
  child.off('close', closed);
  stdout.stop();
  stderr.stop();
  if (!early && child.exitCode === null && child.signalCode === null) giveBack(shell);
  return ending;
}

function endingOf(exitCode: number, stdout: Uint8Array, stderr: Uint8Array): GitEnding {
  if (exitCode === NOT_FOUND) return { kind: 'missing' };
  if (exitCode <= GIT_USAGE) return { kind: 'exited', exitCode, stdout, stderr };
  const [name] = Object.entries(constants.signals).find(([, number]) => number === exitCode - BY_SIGNAL) ?? [];
  if (name === undefined) return { kind: 'exited', exitCode, stdout, stderr };
  return { kind: 'failed', reason: `it was ended by ${name}` };
}
