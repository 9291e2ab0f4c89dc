import { head, tail } from '../config/excerpt.ts';
import type { AgentResult } from './attempt.ts';
import { failedChecks, type VerificationReport } from './report.ts';
import { sentinelOf } from './sentinel.ts';
import type { IterationCompleteEvent } from './strategy.ts';

const MAX_NAME_CHARS = 200;
const MAX_FAULT_CHARS = 2_000;
const MAX_CHECK_CHARS = 2_000;
/** A check is never left out, so many failing ones share this much output, each keeping its end. */
const MAX_OUTPUT_CHARS = 12_000;
const MIN_CHECK_CHARS = 200;

/** What the next attempt has to know about this one, which did not end the loop. */
export function feedbackOn({ agentSuccess, agentResult, verificationReport }: IterationCompleteEvent): string {
  if (!agentSuccess) return agentFeedback(agentResult);
  if (verificationReport === null) return 'Nothing has verified this work. Look over it, and finish what is missing.';
  return checksFeedback(verificationReport);
}

/** Each failed check as `level/name: output`, the end of the output kept. */
export function checksFeedback(report: VerificationReport): string {
  const failed = failedChecks(report);
  const share = Math.floor(MAX_OUTPUT_CHARS / Math.max(1, failed.length));
  const chars = Math.min(MAX_CHECK_CHARS, Math.max(MIN_CHECK_CHARS, share));
  const lines = failed.map(
    ({ level, name, output }) => `${level}/${head(name, MAX_NAME_CHARS)}: ${tail(output.trimEnd(), chars)}`,
  );
  return ['These checks failed:', ...lines].join('\n');
}

function agentFeedback(result: AgentResult): string {
  const why = failureOf(result);
  const because = why === null ? '' : `: ${head(why, MAX_FAULT_CHARS)}`;
  return `The attempt did not succeed${because}. Look at what it left behind, and go on from there.`;
}

function failureOf({ outcome, exitCode }: AgentResult): string | null {
  if (outcome?.ending === 'abort') return outcome.fault?.message ?? `aborted (${outcome.cause})`;
  const sentinel = outcome ? sentinelOf(outcome) : null;
  if (sentinel) return sentinel.text;
  return exitCode == null || exitCode === 0 ? null : `exit status ${exitCode}`;
}
