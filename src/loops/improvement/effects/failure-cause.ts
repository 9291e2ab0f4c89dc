import type { CommandResult } from '../../../actors/subprocess.ts';

/** Why a command failed, as the end of a sentence that begins with its name. Null: it exited with 0. */
export function whyFailed(ended: CommandResult, timeoutMs: number): string | null {
  switch (ended.kind) {
    case 'not_started':
      return `did not start: ${ended.message}`;
    case 'timed_out':
      return `did not end within ${timeoutMs} ms`;
    case 'stopped':
      return 'was stopped';
    case 'exited':
      if (ended.exitCode === 0) return null;
      return ended.exitCode === null ? `was ended by ${ended.signal}` : `ended with status ${ended.exitCode}`;
  }
}
