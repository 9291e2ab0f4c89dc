import { z } from 'zod';
import { runOfEffect } from '../../log/effect-names.ts';
import type { CommandResult } from '../subprocess.ts';
import { agentShell, endlessBecause } from '../agent-shell.ts';
import { CommandFailure } from './tool-result.ts';
import { defineTool, text, FLOOD_BYTES, MAX_OUTPUT_BYTES, STOP_GRACE_MS } from './tool.ts';

const DEFAULT_TIMEOUT_SECONDS = 120;
const MAX_TIMEOUT_SECONDS = 600;
/** Room for the lines that say where all of it is, and how it ended. */
const NOTE_BYTES = 500;

export const shell = defineTool({
  name: 'shell',
  description:
    'Runs a command in the workspace, with bash where there is bash and else with /bin/sh, and answers with what it ' +
    'printed and how it ended. It has no input and no terminal, and whatever it leaves running in the background is ' +
    'ended with it. Of a long output you see the beginning, the end and lines between them that name a failure, and ' +
    'the path of a file with all of it.',
  input: z.strictObject({
    command: text.min(1),
    timeoutSeconds: z.int().min(1).max(MAX_TIMEOUT_SECONDS).default(DEFAULT_TIMEOUT_SECONDS),
  }),
  effectClass: 'once',
  traits: { command: { argument: 'command', statusIn } },
  timeoutMs: MAX_TIMEOUT_SECONDS * 1_000 + STOP_GRACE_MS,
  run: async ({ command, timeoutSeconds }, { effect, directory, environment, runCommand, signal, delta }) => {
    // Every program that names a tool loads this file; most run no command.
    const run = runCommand ?? (await import('../subprocess.ts')).runCommand;
    const flooded = new AbortController();
    let printedBytes = 0;
    const result = await run({
      run: runOfEffect(effect),
      command,
      shell: agentShell(),
      directory,
      passes: environment,
      timeoutMs: timeoutSeconds * 1_000,
      signal: AbortSignal.any([signal, flooded.signal]),
      maxOutputBytes: MAX_OUTPUT_BYTES - NOTE_BYTES,
      keepsOutput: true,
      onOutput: (printed) => {
        printedBytes += Buffer.byteLength(printed);
        if (printedBytes > FLOOD_BYTES) flooded.abort();
        else delta(printed);
      },
    });
    switch (result.kind) {
      case 'not_started':
        throw new Error(`the command could not be started: ${result.message}`);
      case 'timed_out':
        throw new CommandFailure(
          `${printedBy(result)}\n[${endedAfter(timeoutSeconds, command, result.output)}]`,
          result.took,
        );
      case 'stopped':
        if (!flooded.signal.aborted) throw new CommandFailure(`${printedBy(result)}\n[stopped]`, result.took);
        throw new CommandFailure(
          `${printedBy(result)}\n[ended: it printed more than ${FLOOD_BYTES} bytes]`,
          result.took,
        );
      case 'exited':
        return { output: printedBy(result) + note(result), took: result.took };
    }
  },
});

/** The output, and where all of it is. */
function printedBy({ output, whole }: Exclude<CommandResult, { kind: 'not_started' }>): string {
  if (whole === undefined) return output;
  return `${output}${output.endsWith('\n') ? '' : '\n'}[${whole}]`;
}

function endedAfter(seconds: number, command: string, output: string): string {
  const because = endlessBecause(command, output);
  return `ended after ${seconds} s without result${because === null ? '' : `: ${because}`}`;
}

const ENDED_BY_SIGNAL = 128;
/** What `xargs` says where a command of it has ended with 1, as `grep` does that finds nothing. */
const OF_XARGS = 123;

/** The exit status that an output of this tool tells. */
function statusIn(output: string): number {
  const [, status, signal] = /\[(?:exit code (\d+)|(ended by )\w+)\]$/.exec(output.slice(-NOTE_BYTES)) ?? [];
  if (signal !== undefined) return ENDED_BY_SIGNAL;
  return Number(status ?? 0) === OF_XARGS ? 1 : Number(status ?? 0);
}

function note({ output, whole, exitCode, signal }: Extract<CommandResult, { kind: 'exited' }>): string {
  if (exitCode === 0) return output === '' ? '[no output]' : '';
  const separator = whole === undefined && (output === '' || output.endsWith('\n')) ? '' : '\n';
  return signal === null ? `${separator}[exit code ${exitCode}]` : `${separator}[ended by ${signal}]`;
}
