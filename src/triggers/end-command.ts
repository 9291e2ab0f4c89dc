import { runCommand } from '../actors/subprocess.ts';
import type { FollowedIssue } from './issue-comments.ts';

const END_MS = 600_000;
const MAX_OUTPUT_BYTES = 16_384;

export interface EndOfRun {
  readonly command: string;
  readonly directory: string;
  readonly run: string;
  readonly ending: string;
  readonly event: FollowedIssue['event'];
}

/**
 * Runs the command of a person that brings the end of a run to people. It has their environment, and the issue as
 * variables, not as words of it. Returns why it failed, or null.
 */
export async function runEndCommand({ command, directory, run, ending, event }: EndOfRun): Promise<string | null> {
  const { issue, repository, url } = event;
  const result = await runCommand({
    run: null,
    command,
    directory,
    environment: {
      LOOPFOLD_RUN: run,
      LOOPFOLD_ENDING: ending,
      LOOPFOLD_ISSUE: issue,
      LOOPFOLD_REPOSITORY: repository,
      LOOPFOLD_URL: url,
    },
    passes: Object.keys(process.env),
    timeoutMs: END_MS,
    signal: new AbortController().signal,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  if (result.kind === 'exited' && result.exitCode === 0) return null;
  return 'output' in result ? result.output : result.message;
}
