import type { CheckResult } from '../../../machines/events.ts';
import type { Check } from '../../../machines/settings.ts';
import { type CommandResult, runCommand } from '../subprocess.ts';

/** Half of it is for the last lines, which say what failed. */
export const MAX_CHECK_OUTPUT_BYTES = 16_384;

export interface CheckRun {
  readonly check: Check;
  readonly directory: string;
  readonly environment: readonly string[];
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
}

/** Runs one check, which passes by exiting with 0. Any other fate is its last line. Null: told to stop. */
export async function runCheck({ check, directory, environment, signal, onOutput }: CheckRun): Promise<CheckResult | null> {
  const { command, timeoutMs, name } = check;
  const maxOutputBytes = MAX_CHECK_OUTPUT_BYTES;
  const result = await runCommand({ command, directory, passes: environment, timeoutMs, signal, onOutput, maxOutputBytes });
  if (result.kind === 'stopped') return null;
  const { exitCode, durationMs, ...rest } = { exitCode: null, output: '', durationMs: 0, ...result };
  const output = withLastLine(rest.output, fateOf(result, timeoutMs));
  return { name, passed: exitCode === 0, output, exitCode, durationMs };
}

/** What the output of a check cannot say for itself. */
function fateOf(result: CommandResult, timeoutMs: number): string {
  if (result.kind === 'not_started') return `could not be started: ${result.message}`;
  if (result.kind === 'timed_out') return `timed out after ${timeoutMs} ms`;
  return result.kind === 'exited' && result.exitCode === null ? `killed by ${result.signal ?? 'a signal'}` : '';
}

function withLastLine(output: string, line: string): string {
  if (line === '') return output;
  return output === '' || output.endsWith('\n') ? `${output}${line}` : `${output}\n${line}`;
}
