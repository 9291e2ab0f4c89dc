import type { EventOf } from '../../machines/events.ts';
import type { Outcome } from '../../machines/outcome.ts';
import { sentinelOf } from '../strategies/sentinel.ts';
import type { Evidence } from './evidence.ts';

// How a judgement is put as the decision that is recorded: its reason in words, and the events that show it.

export type Decision = EventOf<'decision.made'>['payload'];

/** Another round. `shownBy` is the version that it rests on; the one that asked, where that is not known. */
export const goOn = (evidence: Evidence, reason: string, shownBy?: number): Decision => ({
  action: 'continue',
  reason,
  evidence: evidenceOf(evidence, shownBy),
});

/** The end. What a strategy says of it stands behind the fact, where it says more. */
export function stop(evidence: Evidence, sink: Outcome, strategyReason?: string): Decision {
  const reason = sentinelOf(sink)?.text ?? wordsFor(sink, evidence);
  const saysMore = strategyReason && sink.ending !== 'abort' && !reason.endsWith(strategyReason);
  return {
    action: 'stop',
    sink,
    reason: saysMore ? `${reason}; ${strategyReason}` : reason,
    evidence: evidenceFor(sink, evidence),
  };
}

/** The id of the version that shows something; of the one that asked, where that is not known. */
export const evidenceOf = ({ idOf, version }: Evidence, shownBy: number | undefined): string[] => [idOf(shownBy ?? version)];

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

function successWords({ verified, partial, accepted }: Extract<Outcome, { ending: 'success' }>, checksAsked: boolean, round: string): string {
  if (verified) return 'the checks passed';
  if (!partial) return checksAsked ? 'finished, though no check has proven the work' : 'finished; nothing was asked to be checked';
  const which = accepted ? `${round} ${accepted.iteration + 1}` : `the best ${round}`;
  return `accepted as it is: ${which}${accepted?.failing.length ? `, which still fails ${accepted.failing.join(', ')}` : ''}`;
}
