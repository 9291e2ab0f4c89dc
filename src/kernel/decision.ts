import type { EventOf } from '../../machines/events.ts';
import type { Outcome, Finding, Grade } from '../../machines/outcome.ts';
import { sentinelOf } from '../strategies/sentinel.ts';
import type { Life } from '../../machines/life.ts';
import type { Expected } from '../budget/allowance.ts';
import type { Used } from '../budget/limit-use.ts';
import type { VerificationReport } from '../strategies/report.ts';
import type { LoopMemory } from './loop-memory.ts';
import type { LoopDecision } from '../strategies/loop-decision.ts';

// Puts a judgement as the decision that is recorded: its reason as text, and the events that show it.

export type Decision = EventOf<'decision.made'>['payload'];

/** Another round. `shownBy`: the version it rests on; by default the version that asked the judge. */
export const anotherRound = (evidence: Evidence, reason: string, shownBy?: number): Decision => ({
  action: 'continue',
  reason,
  evidence: evidenceOf(evidence, shownBy),
});

/** The end. The strategy's reason is appended to the fact, where it adds something. */
export function stop(evidence: Evidence, sink: Outcome, strategyReason?: string): Decision {
  const fact = sentinelOf(sink)?.text ?? wordsFor(sink, evidence);
  const reason = sink.ending === 'abort' ? fact : joined(fact, strategyReason);
  return { action: 'stop', sink, reason, evidence: evidenceFor(sink, evidence) };
}

/** Both texts, or the one that contains the other. */
function joined(fact: string, strategyReason = ''): string {
  if (fact.endsWith(strategyReason)) return fact;
  return strategyReason.includes(fact) ? strategyReason : `${fact}; ${strategyReason}`;
}

/** The id of the version that shows something; by default of the version that asked the judge. */
export const evidenceOf = ({ idOf, version }: Evidence, shownBy: number | undefined): string[] => [
  idOf(shownBy ?? version),
];

function evidenceFor(sink: Outcome, evidence: Evidence): string[] {
  const { context, memory, idOf } = evidence;
  if (sink.ending === 'doom_loop') return sink.finding.evidence;
  if (sink.ending === 'abort') return evidenceOf(evidence, (context.abort ?? context.fault)?.version);
  if (sink.ending === 'success' && sink.accepted) return (memory.shownBy?.([sink.accepted.iteration]) ?? []).map(idOf);
  return evidenceOf(evidence, context.verification?.version);
}

function wordsFor(sink: Outcome, { context: { abort, hasChecks }, round }: Evidence): string {
  if (sink.ending === 'success') return successWords(sink, hasChecks, round);
  if (sink.ending !== 'abort') return sink.ending;
  return sink.fault?.message ?? abort?.reason ?? `aborted by ${sink.cause}`;
}

function successWords(
  { verified, partial, accepted }: Extract<Outcome, { ending: 'success' }>,
  checksAsked: boolean,
  round: string,
): string {
  if (verified) return 'the checks passed';
  if (!partial)
    return checksAsked ? 'finished, though no check has proven the work' : 'finished; nothing was asked to be checked';
  const which = accepted ? `${round} ${accepted.iteration + 1}` : `the best ${round}`;
  const failing = accepted?.failing.length ? `, which still fails ${accepted.failing.join(', ')}` : '';
  return `accepted as it is: ${which}${failing}`;
}

/** What every judgement rests on. */
export interface Evidence<Context extends Life = Life, Memory extends LoopMemory = LoopMemory> {
  readonly context: Context;
  /** What the loop remembers beside its machine. */
  readonly memory: Memory;
  /** The loop's word for one round: `step`. */
  readonly round: string;
  /** The time of the judgement. */
  readonly at: string;
  /** The version that asked the judge. */
  readonly version: number;
  readonly used: Used;
  /** Findings since the last round began, of every level. */
  readonly findings: readonly Finding[];
  readonly report: VerificationReport | null;
  /** What the newest checks are worth where they passed. Null: none ran, or before such checks had a grade. */
  readonly grade: Grade | null;
  /** Tells whether that is enough, by what the run was started to accept. Null: it has no grade. */
  readonly enough: boolean | null;
  /** How the checks went on what the run began with. Null: they have not run on it. */
  readonly baseline: VerificationReport | null;
  /** What else the first prompt says of what the run began with, a paragraph each. */
  readonly beginning: readonly string[];
  /** The newest checks of the workspace with exactly its content now have failed. */
  readonly failedBefore: boolean;
  /** Expected input tokens and price of the next call of a model. */
  readonly next: Expected;
  /** The id (`RUN/version`) of a version of this run. */
  readonly idOf: (version: number) => string;
}

/** What a strategy decides about the round that is over, with the strategy's name. */
export interface Advice {
  readonly strategy: string;
  readonly decision: LoopDecision;
}
