import type { Command } from 'commander';
import type { SubmitOptions } from '../../app/start/submit-run.ts';
import type { ConfigFault } from '../../options/config-fault.ts';
import { configOfFlags, type OptionFlags, withLimitFlags } from './run-flags.ts';

export interface SubmitFlags extends OptionFlags {
  readonly promptFile?: string;
  readonly id?: string;
  readonly key?: string;
  readonly atOnce?: string;
  readonly notBefore?: string;
  readonly repository?: string;
  readonly commit?: string;
  readonly branch?: string;
  readonly json?: boolean;
}

/** The task, its caps and its labels: everything else is the worker's. */
export const withSubmitFlags = (command: Command): Command =>
  withLimitFlags(
    command
      .option('--prompt-file <file>', 'read the task from a file')
      .option('--id <uuid>', 'its id, a UUID of version 7: submitted twice, it is one run')
      .option('--key <name>', 'of one key only so many runs are worked on at the same time')
      .option('--at-once <n>', 'how many of its key (1)')
      .option('--not-before <time>', 'when a worker may begin, such as 2026-03-01T12:00:00Z')
      .option('--repository <address>', 'work in a worktree of this repository, on a worker that may')
      .option('--commit <name>', 'begin with this commit, branch or tag of it')
      .option('--branch <name>', 'push the change of a success as this new branch of it'),
  );

/** The caps and labels among the flags. What files and variables say is left to the worker. */
export function submittedOf(flags: SubmitFlags): {
  readonly values: Omit<SubmitOptions, 'prompt'>;
  readonly faults: readonly ConfigFault[];
} {
  const { maxIterations, maxSteps, maxToolCalls, maxTokens, maxTime, maxCost, label } = flags;
  return configOfFlags({ maxIterations, maxSteps, maxToolCalls, maxTokens, maxTime, maxCost, label });
}
