import { shownNumbers } from '../../../machines/ralph-numbers.ts';
import type { Outcome, ReachedLimit } from '../../../machines/outcome.ts';
import type { Advice, Decision } from '../../kernel/decision.ts';
import { PROMISE_GIVEN, promiseText } from '../../ralph/completion-promise.ts';
import { judgeAttempts } from '../iteration/judge.ts';
import { asFileSays, type Progress, progressOf, type RalphEvidence } from './progress.ts';
import type { ChangedFile } from '../../../machines/events.ts';
import { causeOf } from '../../strategies/attempt-failure.ts';
import { checksFeedback } from '../../strategies/feedback.ts';
import { PROMISE_PLACE } from '../../ralph/continuation-prompt.ts';
import { amount } from '../../text/money.ts';
import { head } from '../../text/excerpt.ts';
import { sentence } from '../../text/sentence.ts';

const MAX_LISTED_FILES = 20;
const MAX_PATH_CHARS = 200;
/** Files that look like tests, by the conventions of the common runners. */
const TEST_FILE = /(^|\/)(tests?|__tests__|spec)\/|[._-](test|spec)s?\.\w+$|(^|\/)test_[^/]*\.\w+$/i;

/** Why another iteration begins, and what its prompt says about the last one: its work, its checks, what is missing. */
function missingText(progress: Progress, evidence: RalphEvidence): { reason: string; feedback: string } {
  const { context, memory } = evidence;
  const failed = context.attempt?.succeeded === true ? null : unfinished(evidence);
  const parts = [failed, changesText(memory.changed), checksText(evidence), demand(progress, context.hasChecks)];
  return { reason: reasonOf(progress, evidence), feedback: parts.filter((part) => part !== null).join('\n\n') };
}

function reasonOf({ promise, isPromised, whyNot, needsProof, proof }: Progress, { context }: RalphEvidence): string {
  if (context.attempt?.succeeded !== true) return 'the attempt did not finish';
  if (promise !== null && !isPromised) {
    const unpromised = whyNot === null ? 'nothing is promised yet' : `a promise does not count: ${whyNot}`;
    return proof ? `the checks pass, and ${unpromised}` : unpromised;
  }
  if (isPromised && needsProof) return 'promised, and the checks do not pass';
  return context.hasChecks ? 'the checks do not pass yet' : 'nothing can prove the work, and no promise is asked for';
}

/** That the attempt did not succeed, and why where that is known. */
function unfinished({ memory }: RalphEvidence): string {
  const cause = causeOf(memory.failed());
  return sentence(`The attempt ended before it was finished${cause === null ? '' : `: ${cause}`}`);
}

/** What the agent has to do about its promise. */
function demand({ promise, isPromised, whyNot, needsProof, proof }: Progress, hasChecks: boolean): string | null {
  if (promise === null) return null;
  if (isPromised && needsProof && !proof)
    return 'You promised that the task is complete, but the checks do not pass. Make them pass, then promise it again.';
  if (isPromised) return null;
  const tag = promiseText(promise);
  const exact = `If the task is complete, say so with exactly \`${tag}\`. It counts only ${PROMISE_PLACE}.`;
  if (whyNot !== null) return `Your last message has a promise tag, but it does not count, because ${whyNot}. ${exact}`;
  if (proof)
    return `The checks pass, but you have not promised that the task is complete, so the loop goes on. ${exact}`;
  return hasChecks ? null : exact;
}

function checksText({ context, report }: RalphEvidence): string | null {
  if (!context.verification || !report) return null;
  return report.overall.passed ? 'All checks passed.' : checksFeedback(report);
}

/** What the last attempt has changed. Tests are named apart: an agent that adds none may have skipped them. */
function changesText(changed: readonly ChangedFile[]): string {
  if (changed.length === 0) return 'No file was changed.';
  const tests = changed.filter(({ path }) => TEST_FILE.test(path));
  const grown = tests.reduce((sum, { added }) => sum + (added ?? 0), 0);
  const lines = changed.slice(0, MAX_LISTED_FILES).map(lineOf);
  const more = changed.length - lines.length;
  const listed = [...lines, ...(more > 0 ? [`- and ${more} more`] : [])];
  const ofTests = tests.length === 0 ? 'No test file was changed.' : testsText(tests.length, grown);
  return [`${amount(changed.length, 'file')} changed:`, ...listed, ofTests].join('\n');
}

const testsText = (files: number, lines: number): string =>
  `Tests: ${amount(files, 'file')} changed, ${amount(lines, 'line')} added.`;

const lineOf = ({ path, added, removed }: ChangedFile): string =>
  `- ${head(path, MAX_PATH_CHARS)}${added === null || removed === null ? '' : ` (+${added} -${removed})`}`;

/**
 * Decides whether a Ralph loop continues. Its strategy may stop it for going in circles; what counts as done is decided
 * here: the promise, together with passed checks where there are any. Its maximum changes while it runs, so the
 * strategy's own is not asked.
 */
export function judgeRalph(found: RalphEvidence, advice: Advice | null): Decision {
  const evidence = { ...found, context: asFileSays(found.context) };
  const progress = progressOf(evidence);
  const decision = judgeAttempts(evidence, advice, {
    success: successOf(progress, evidence),
    heeds: ({ ending }) => ending === 'doom_loop' && advice?.decision.action !== 'complete',
    ...(advice ? { another: missingText(progress, evidence) } : {}),
    numbered: (limit) => asFileCounts(limit, found.context),
  });
  if (!progress.isPromised || decision.sink?.ending !== 'success') return decision;
  return { ...decision, reason: promisedText(decision.sink.verified !== null, evidence.context) };
}

/** The reason why the loop ends after a promise: people read it in the state file, in activities and in webhooks. */
function promisedText(isVerified: boolean, { hasChecks }: RalphEvidence['context']): string {
  if (isVerified) return `${PROMISE_GIVEN}, and the checks passed`;
  return `${PROMISE_GIVEN}; ${hasChecks ? 'no check has proven the work' : 'nothing was asked to be checked'}`;
}

/** After an edit of the iteration the file counts in other numbers than the run does: people read those. */
function asFileCounts(reached: ReachedLimit, context: RalphEvidence['context']): ReachedLimit {
  if (reached.name !== 'iterations' || context.file.ahead === 0) return reached;
  const { iteration: used, maximum: limit } = shownNumbers(context);
  return { ...reached, shown: { used, limit } };
}

/** Passed checks alone are a success only where no promise is asked for: a base may be green from the start. */
function successOf({ promise, isPromised, needsProof, proof }: Progress, { context }: RalphEvidence): Outcome | null {
  if (promise === null) return context.hasChecks ? proof : null;
  if (!isPromised) return null;
  if (proof) return proof;
  return needsProof ? null : { ending: 'success', verified: null, partial: false };
}
