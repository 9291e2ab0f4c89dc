import type { Observed } from './observation.ts';
import { togetherOf } from './signature.ts';

/** The most words of a step: those of its first calls. */
const MAX_WORDS = 200;

/**
 * The calls of one answer as one step: no model can hear a nudge between them. Calls that poll or are exempt are left
 * out beside others. It has failed where all of them have; several calls are equal to the same ones in any order.
 * Null: there is no call.
 */
export function stepOf(observed: readonly Observed[]): Observed | null {
  const counted = observed.filter(({ isPolling, isExempt }) => !isPolling && !isExempt);
  const calls = counted.length > 0 ? counted : observed;
  const [first, ...more] = calls;
  if (!first || more.length === 0) return first ?? null;
  const last = calls.at(-1) ?? first;
  const all = <Key extends keyof Observed>(key: Key, value: Observed[Key]) => calls.every((one) => one[key] === value);
  const ofOneTool = all('tool', first.tool);
  return {
    tool: ofOneTool ? first.tool : [...new Set(calls.map(({ tool }) => tool))].join(', '),
    action: togetherOf(calls.map(({ action }) => action)),
    result: togetherOf(calls.map(({ action, result }) => `${action} ${result}`)),
    gist: all('gist', first.gist) ? first.gist : togetherOf(calls.map(({ gist }) => gist)),
    outcome: outcomeIn(calls),
    failed: all('failed', true),
    end: endOf(calls),
    foundNothing: all('foundNothing', true),
    isRefused: all('isRefused', true),
    isPolling: all('isPolling', true),
    waitedMs: Math.max(...calls.map(({ waitedMs }) => waitedMs)),
    isExempt: all('isExempt', true),
    isWriting: calls.some(({ isWriting }) => isWriting),
    mayChange: calls.some(({ mayChange }) => mayChange),
    words: [...new Set(calls.flatMap(({ words }) => words))].slice(0, MAX_WORDS),
    isBad: all('isBad', true),
    replaces: calls.every(({ replaces }) => replaces?.what === first.replaces?.what) ? last.replaces : null,
    evidence: [first.evidence[0], last.evidence[1]],
  };
}

function endOf(calls: readonly Observed[]): Observed['end'] {
  if (calls.some(({ end }) => end === 'done')) return 'done';
  return calls.every(({ end }) => end === 'unknown') ? 'unknown' : 'failed';
}

function outcomeIn(calls: readonly Observed[]): string | null {
  const outcomes = calls.flatMap(({ outcome }) => outcome ?? []);
  return outcomes.length === 0 ? null : togetherOf(outcomes);
}
