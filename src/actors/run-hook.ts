import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hook } from '../../machines/hooks.ts';
import { makeTemporaryFolder } from '../log/temporary-folders.ts';
import { quoted } from '../text/shell-words.ts';
import { type CommandResult, runCommand } from './subprocess.ts';

/** More of what a hook prints is left out. */
const MAX_SAID_BYTES = 4_000;

/** Where a hook runs, and whose it is. */
export interface HookPlace {
  readonly run: string;
  readonly directory: string;
  /** Names of variables of ours that it sees beside the usual ones. */
  readonly passes: readonly string[];
  readonly signal: AbortSignal;
}

/** How a hook has ended. */
export interface HookEnd {
  /** It ended with 0 within its time. */
  readonly passed: boolean;
  readonly said: string;
  readonly durationMs: number;
}

/**
 * Runs a hook with what happened as JSON on its standard input. It is a command of the person, and not of the agent:
 * no walls stand around it.
 */
export async function runHook(
  { command, timeoutMs }: Hook,
  happened: object,
  { run, directory, passes, signal }: HookPlace,
): Promise<HookEnd> {
  const folder = await makeTemporaryFolder('hook');
  try {
    const file = join(folder, 'input.json');
    await writeFile(file, `${JSON.stringify(happened)}\n`, { mode: 0o600 });
    const wrapped = `{ ${command}\n} <${quoted(file)}`;
    return endOf(
      await runCommand({ run, command: wrapped, directory, passes, timeoutMs, signal, maxOutputBytes: MAX_SAID_BYTES }),
      timeoutMs,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function endOf(result: CommandResult, timeoutMs: number): HookEnd {
  if (result.kind === 'not_started') return { passed: false, said: result.message, durationMs: 0 };
  const { output, durationMs } = result;
  const ended = { durationMs: Math.round(durationMs), passed: false };
  switch (result.kind) {
    case 'timed_out':
      return { ...ended, said: `${output}\nno end within ${timeoutMs} ms`.trim() };
    case 'stopped':
      return { ...ended, said: 'stopped' };
    case 'exited':
      return { ...ended, passed: result.exitCode === 0, said: output.trim() };
  }
}
