import { once } from 'node:events';
import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import type { Took } from '../../machines/took.ts';
import { faultOfStart } from '../log/environment-fault.ts';
import { type Ending, exitOf, firstEnding } from './command-ending.ts';
import { commandEnvironment } from './command-environment.ts';
import { CommandOutput } from './command-output.ts';
import { marking, newMark } from './command-mark.ts';
import { meterOf } from './command-meter.ts';
import { guardOrEnd } from './group-guard.ts';
import { endProcesses } from './process-group.ts';

/** How long output that is still on its way may take to arrive once no process is left that prints. */
const DRAIN_MS = 1_000;

export interface CommandRequest {
  /** The run that it is a command of. Null: ours, which runs nothing of a model. */
  readonly run: string | null;
  /** Run in a process group of its own that never outlives the call. */
  readonly command: string;
  /** The shell that runs it with `-c`. Absent: `/bin/sh`. */
  readonly shell?: string | undefined;
  readonly directory: string;
  /** Added to the few variables every command gets, and to those by which programs do not ask. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Names of variables of ours that this command sees beside the usual ones. */
  readonly passes?: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Head, tail and lines between them that name a failure are kept, the rest is said to be left out. At least 64. */
  readonly maxOutputBytes: number;
  /** Keeps an output that is longer as files that the tools of the run may read. */
  readonly keepsOutput?: boolean | undefined;
  /** Gets all that is printed, as it is. */
  readonly onOutput?: (text: string) => void;
}

export type CommandResult =
  | (Ending & {
      /** Without escape codes. */
      readonly output: string;
      /** Says where all of a longer output is kept. */
      readonly whole?: string;
      readonly durationMs: number;
      /** Places of a network that walls have refused meanwhile. Absent: none, or there are no walls. */
      readonly refused?: readonly string[];
      /** Until it ended by itself, or was made to. Absent: it was stopped before it began. */
      readonly took?: Took;
    })
  | { readonly kind: 'not_started'; readonly message: string };

/**
 * Runs one shell command to its end, its timeout or the signal, without a terminal, with stdin empty and stdout and
 * stderr as one text.
 * Throws an `EnvironmentFault` where the system starts no process, and nothing else. Whatever the command leaves
 * running is ended before this returns, also in a session of its own
 * (`setsid`) where the system has `/proc`. A process that has cleared its environment, too, is out of reach, and not
 * waited for.
 *
 * @example
 * const limits = { timeoutMs: 60_000, maxOutputBytes: 30_000 };
 * const result = await runCommand({ run, command: 'npm test', directory, signal, ...limits });
 * if (result.kind === 'exited' && result.exitCode === 0) console.log('passed');
 */
export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  if (request.signal.aborted) return { kind: 'stopped', output: '', durationMs: 0 };
  const startedAt = performance.now();
  const mark = newMark(request.run);
  const child = startOrRefuse(request, mark);
  if (child instanceof Error) return notStarted(child, child.message);
  if (child.pid === undefined) {
    const failed = await child;
    return notStarted(failed, failed.originalMessage ?? 'it did not start');
  }

  const release = guarded(child.pid);
  const meter = meterOf({ leader: child.pid, mark });
  allow(child);
  const output = new CommandOutput(request.maxOutputBytes, request.keepsOutput ? request.run : null);
  const received = receive(child.stdout, (text) => {
    output.add(text);
    request.onOutput?.(text);
  });
  const ending = await firstEnding(exitOf(child.nodeChildProcess), request);
  const took = meter(ending.kind === 'exited');
  // A timer fires late: what its time has ended has had that time, and no more.
  const mostMs = ending.kind === 'timed_out' ? request.timeoutMs : Infinity;
  await endProcesses({ group: child.pid, mark });
  release();
  await Promise.race([received, delay(DRAIN_MS, undefined, { ref: false })]);
  child.stdout.destroy();
  const tookMs = Math.round(performance.now() - startedAt);
  return {
    ...ending,
    took: { ...took, wallMs: Math.min(took.wallMs, mostMs) },
    ...output.end(),
    durationMs: Math.min(tookMs, mostMs),
  };
}

function start(request: CommandRequest, mark: string) {
  const { command, shell = '/bin/sh', directory } = request;
  // The outer shell joins stderr to stdout (one pipe keeps the order in which things were printed), and waits until its
  // group is guarded: should we be gone before that, its read ends empty-handed and nothing is run.
  const waiting = 'read -r go <&3 || exit 1; exec "$2" -c "$1" 2>&1 3<&-';
  return execa('/bin/sh', ['-c', waiting, 'sh', command, shell], {
    cwd: directory,
    env: { ...commandEnvironment(request), ...marking(mark) },
    extendEnv: false,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    buffer: false,
    reject: false,
    // Should our own process end in the middle, its exit hook kills the group, and there is no time to ask first.
    killDescendants: true,
    killSignal: 'SIGKILL',
  });
}

/** A system that starts no processes says nothing about the command. */
function notStarted(error: unknown, message: string): CommandResult {
  const fault = faultOfStart(error);
  if (fault) throw fault;
  return { kind: 'not_started', message };
}

/** A command without a guard could outlive this process: it is ended before it has begun. */
function guarded(group: number): () => void {
  try {
    return guardOrEnd(group);
  } catch (error) {
    throw faultOfStart(error) ?? error;
  }
}

/** Lets a command that waits for its guard begin. */
function allow({ stdio: [, , , gate] }: ReturnType<typeof start>): void {
  if (!(gate instanceof Writable)) throw new TypeError('the gate of a command cannot be written to');
  gate.on('error', () => {});
  gate.end('go\n');
}

/** What no process could be given, a null byte for one, is thrown before there is one. */
function startOrRefuse(request: CommandRequest, mark: string): ReturnType<typeof start> | Error {
  try {
    return start(request, mark);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function receive(stream: NodeJS.ReadableStream, take: (text: string) => void): Promise<void> {
  const decoder = new StringDecoder('utf8');
  stream.on('data', (bytes: Buffer) => take(decoder.write(bytes)));
  await once(stream, 'close');
  take(decoder.end());
}
