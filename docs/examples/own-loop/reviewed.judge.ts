import { mostRounds, type Outcome } from 'loopfold/machines';
import type { ReviewedEvent } from './reviewed.events.ts';
import type { ReviewedContext } from './reviewed.machine.ts';

/** Whether the loop goes on, and how it ends: an abort before a success, a success before a limit. */
export function judged(context: ReviewedContext): ReviewedEvent {
  const sink = sinkOf(context);
  if (sink) return { type: 'decision.made', payload: { action: 'stop', sink, reason: sink.ending, evidence: [] } };
  return { type: 'decision.made', payload: { action: 'continue', reason: 'not approved yet', evidence: [] } };
}

function sinkOf({ abort, deadlinePassed, fault, limits, iterations, verification, review }: ReviewedContext): Outcome | null {
  if (abort) return { ending: 'abort', cause: abort.cause, fault: null };
  if (fault) return { ending: 'abort', cause: 'error', fault: fault.fault };
  if (review?.approved) {
    const verified = verification?.passed ? { version: verification.version, workspace: verification.workspace } : null;
    return { ending: 'success', verified, partial: false };
  }
  const maxTimeMs = limits.maxTimeMs ?? 0;
  if (deadlinePassed) return { ending: 'cap_hit', limit: { name: 'time_ms', used: maxTimeMs, limit: maxTimeMs } };
  const limit = mostRounds(limits.maxIterations, limits);
  return iterations >= limit ? { ending: 'cap_hit', limit: { name: 'iterations', used: iterations, limit } } : null;
}
