import { z } from 'zod';
import { runOfEffect } from '../../log/effect-names.ts';
import type { CommandResult } from '../subprocess.ts';
import { CommandFailure } from './command-failure.ts';
import { defineTool } from './define-tool.ts';
import { text } from './argument-fields.ts';
import { FLOOD_BYTES, MAX_OUTPUT_BYTES, STOP_GRACE_MS } from './limits.ts';

const DEFAULT_TIMEOUT_SECONDS = 120;
const MAX_TIMEOUT_SECONDS = 600;
/** Room for the line that says how it ended. */
const NOTE_BYTES = 200;

export const shell = defineTool({
  name: 'shell',
  description:
    'Runs a command with /bin/sh in the workspace and answers with what it printed and how it ended. It has no ' +
    'input, and whatever it leaves running in the background is ended with it. Long output is cut in the middle.',
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
      directory,
      passes: environment,
      timeoutMs: timeoutSeconds * 1_000,
      signal: AbortSignal.any([signal, flooded.signal]),
      maxOutputBytes: MAX_OUTPUT_BYTES - NOTE_BYTES,
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
        throw new CommandFailure(`${result.output}\n[ended after ${timeoutSeconds} s without result]`, result.took);
      case 'stopped':
        if (!flooded.signal.aborted) throw new CommandFailure(`${result.output}\n[stopped]`, result.took);
        throw new CommandFailure(`${result.output}\n[ended: it printed more than ${FLOOD_BYTES} bytes]`, result.took);
      case 'exited':
        return { output: result.output + note(result), took: result.took };
    }
  },
});

const ENDED_BY_SIGNAL = 128;
/** What `xargs` says where a command of it has ended with 1, as `grep` does that finds nothing. */
const OF_XARGS = 123;

/** The exit status that an output of this tool tells. */
function statusIn(output: string): number {
  const [, status, signal] = /\[(?:exit code (\d+)|(ended by )\w+)\]$/.exec(output.slice(-NOTE_BYTES)) ?? [];
  if (signal !== undefined) return ENDED_BY_SIGNAL;
  return Number(status ?? 0) === OF_XARGS ? 1 : Number(status ?? 0);
}

function note({ output, exitCode, signal }: Extract<CommandResult, { kind: 'exited' }>): string {
  if (exitCode === 0) return output === '' ? '[no output]' : '';
  const separator = output === '' || output.endsWith('\n') ? '' : '\n';
  return signal === null ? `${separator}[exit code ${exitCode}]` : `${separator}[ended by ${signal}]`;
}
