import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { commandEnvironment } from '../actors/command-environment.ts';
import { exitOf } from '../actors/command-ending.ts';
import { marking, newMark } from '../actors/command-mark.ts';
import { guardOrEnd } from '../actors/group-guard.ts';
import { endProcesses } from '../actors/process-group.ts';
import { FloodError, LineReader } from './line-reader.ts';

/** The time that output has to arrive once the process that printed it is gone. */
const DRAIN_MS = 1_000;
/** The most that is kept of the end of the error output. */
const MAX_ERROR_CHARS = 4_000;

interface AgentCommand {
  readonly run: string | null;
  /** For `/bin/sh -c`. */
  readonly command: string;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly passes: readonly string[];
}

export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A taker of the lines of an agent. */
export interface LineSink {
  /** `note` keeps what is no message, for when the agent fails. */
  readonly line: (text: string, note: (text: string) => void) => Promise<void>;
  /** It has printed too much: nothing more is read. */
  readonly flooded: (reason: string) => void;
}

/** A running agent, in a process group of its own. */
export interface AgentProcess {
  /** False: it does not read any more. */
  readonly write: (line: string) => boolean;
  readonly closeInput: () => void;
  /** Resolves when it is gone and all that it printed was read. */
  readonly gone: Promise<Exit>;
  /** The end of what it printed as errors, and of its lines that are no messages. */
  readonly said: () => string;
  /** Ends it and whatever it has left running, also in sessions of their own. */
  readonly end: () => Promise<void>;
}

/** Starts an agent. Its standard input stays open, and each line that it prints goes to the sink, one by one. */
export function startAgent(request: AgentCommand, sink: LineSink): AgentProcess | { readonly missing: string } {
  const mark = newMark(request.run);
  const started = spawned(request, mark);
  if ('missing' in started) return started;
  const { child, group, input, output, errors, gate } = started;
  const exit = exitOf(child);
  const release = guardedOr(group);
  if (typeof release === 'string') return { missing: release };
  gate.end('go\n');
  let said = '';
  const note = (text: string) => {
    said = (said + text).slice(-MAX_ERROR_CHARS);
  };
  errors.setEncoding('utf8').on('data', note);
  const read = Promise.all([readLines(output, sink, note), once(errors, 'close')]);
  const gone = exit.then(async (ending) => {
    await Promise.race([read, delay(DRAIN_MS, undefined, { ref: false })]);
    output.destroy();
    errors.destroy();
    return ending.kind === 'exited' ? ending : { exitCode: null, signal: null };
  });
  return {
    write: (line) => {
      if (!input.writable) return false;
      input.write(`${line}\n`);
      return true;
    },
    closeInput: () => input.end(),
    gone,
    said: () => said,
    end: async () => {
      input.destroy();
      await endProcesses({ group, mark });
      release();
      await gone;
    },
  };
}

interface Spawned {
  readonly child: ChildProcess;
  readonly group: number;
  readonly input: Writable;
  readonly output: Readable;
  readonly errors: Readable;
  readonly gate: Writable;
}

/** What ends the guard of an agent, or why there is none: then the agent is gone, before it has begun. */
function guardedOr(group: number): (() => void) | string {
  try {
    return guardOrEnd(group);
  } catch (error) {
    return messageOf(error);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The shell waits until its group is guarded: should this process be gone before that, nothing is run. */
function spawned(request: AgentCommand, mark: string): Spawned | { readonly missing: string } {
  const waiting = 'read -r go <&3 || exit 1; exec 3<&-; exec /bin/sh -c "$1"';
  try {
    const child = spawn('/bin/sh', ['-c', waiting, 'sh', request.command], {
      cwd: request.directory,
      env: { ...commandEnvironment(request), ...marking(mark) },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    child.on('error', () => {});
    const { pid: group, stdin: input, stdout: output, stderr: errors } = child;
    const gate = child.stdio[3] as Writable | null;
    if (group === undefined || !input || !output || !errors || !gate) return { missing: 'no process can be started' };
    for (const stream of [input, gate, output, errors]) stream.on('error', () => {});
    return { child, group, input, output, errors, gate };
  } catch (error) {
    return { missing: messageOf(error) };
  }
}

/** Reads to the end, at the pace of the sink. */
async function readLines(output: Readable, sink: LineSink, note: (text: string) => void): Promise<void> {
  const reader = new LineReader();
  try {
    for await (const piece of output) for (const line of reader.read(piece as Buffer)) await sink.line(line, note);
    const rest = reader.end();
    if (rest.trim() !== '') await sink.line(rest, note);
  } catch (error) {
    if (error instanceof FloodError) sink.flooded(error.message);
    // A stream that is destroyed says so by an error: who has destroyed it knows.
  }
}
