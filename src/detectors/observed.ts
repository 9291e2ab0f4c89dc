import { eventId, type Logged, type LoggedEvent } from './detector.ts';
import { resultIdentity } from './result-identity.ts';
import { actionOf } from './signature.ts';
import type { TraitsOf } from './traits.ts';

/** A call and its result. */
export interface Observed {
  readonly tool: string;
  readonly action: string;
  /** Equal for results that differ only in what is new each time. */
  readonly result: string;
  readonly failed: boolean;
  /** It is meant to be made repeatedly. */
  readonly isPolling: boolean;
  /** It never counts as a repetition where calls alone are counted. */
  readonly isExempt: boolean;
  /** The ids of the event that asked for it and of its result. */
  readonly evidence: readonly [asked: string, answered: string];
}

type OpenCall = Pick<Observed, 'tool' | 'action' | 'isPolling' | 'isExempt'> & { readonly callId: string };
type Result = Pick<Observed, 'result' | 'failed'> & { readonly id: string };

/** The newest answer's calls, in the order the model asked, and their results so far. */
export interface Awaiting {
  readonly asked: string;
  readonly open: readonly OpenCall[];
  readonly done: { readonly [callId: string]: Result };
}

export const NOTHING_AWAITED: Awaiting = { asked: '', open: [], done: {} };

export interface Pairing {
  readonly awaiting: Awaiting;
  /** All pairs of an answer, in the order of its calls, with the event that completes the last of them. */
  readonly observed: readonly Observed[];
}

/**
 * Pairs calls with their results. The order in which parallel calls end means nothing; a refusal is a failed result
 * like any other. An interrupted call has no result and forms no pair, and neither does delegated work that ended
 * because its provider failed.
 */
export function paired(awaiting: Awaiting, event: LoggedEvent, traits: TraitsOf): Pairing {
  if (event.type === 'model.completed') return { awaiting: asking(event, traits), observed: [] };
  const isPending = ({ callId }: Pick<OpenCall, 'callId'>) =>
    awaiting.open.some((call) => call.callId === callId) && !Object.hasOwn(awaiting.done, callId);
  if (awaiting.open.length === 0) return { awaiting, observed: [] };
  const results = resultsIn(event).filter(isPending);
  const lost = unknownResultIn(event);
  if (results.length === 0 && !(lost !== null && isPending({ callId: lost }))) return { awaiting, observed: [] };
  const { asked } = awaiting;
  const open = awaiting.open.filter(({ callId }) => callId !== lost);
  const done = { ...awaiting.done, ...Object.fromEntries(results.map(({ callId, ...result }) => [callId, result])) };
  if (open.some(({ callId }) => !Object.hasOwn(done, callId))) return { awaiting: { asked, open, done }, observed: [] };
  return { awaiting: NOTHING_AWAITED, observed: open.flatMap((call) => pairOf(call, done[call.callId], asked)) };
}

function asking(event: Logged<'model.completed'>, traits: TraitsOf): Awaiting {
  const open = event.payload.calls.map((call) => {
    const own = traits(call.tool);
    const isPolling = own.polling === true;
    const isExempt = own.identity === 'exempt';
    return { callId: call.callId, tool: call.tool, action: actionOf(call, own), isPolling, isExempt };
  });
  return { asked: eventId(event), open, done: {} };
}

function pairOf({ callId: _, ...call }: OpenCall, done: Result | undefined, asked: string): Observed[] {
  return done ? [{ ...call, result: done.result, failed: done.failed, evidence: [asked, done.id] }] : [];
}

type ResultOf = Result & { readonly callId: string };

/** Several detectors ask for the same results, so each is hashed once. */
const known = new WeakMap<LoggedEvent, readonly ResultOf[]>();

/** The results that an event brings, one for each call. */
function resultsIn(event: LoggedEvent): readonly ResultOf[] {
  const earlier = known.get(event);
  if (earlier) return earlier;
  const id = eventId(event);
  const results = answersIn(event).map(({ callId, text, failed }) => {
    return { callId, failed, id, result: resultIdentity(`${failed ? 'failed' : 'done'}\n${text}`) };
  });
  known.set(event, results);
  return results;
}

function answersIn({
  type,
  payload,
}: LoggedEvent): readonly { readonly callId: string; readonly text: string; readonly failed: boolean }[] {
  switch (type) {
    case 'tool.completed':
      return [{ callId: payload.callId, text: payload.output, failed: false }];
    case 'tool.failed':
      return [{ callId: payload.callId, text: payload.fault.message, failed: true }];
    case 'person.answered':
      return [{ callId: payload.callId, text: payload.answer, failed: false }];
    case 'child.settled': {
      const { callId, outcome, answer } = payload;
      if (callId === undefined || outcome.ending === 'abort') return [];
      return [{ callId, text: answer, failed: outcome.ending !== 'success' }];
    }
    case 'calls.admitted':
      return payload.refused.map(({ callId, reason }) => ({ callId, text: reason, failed: true }));
    default:
      return [];
  }
}

/** The call whose result can no longer be known. */
function unknownResultIn({ type, payload }: LoggedEvent): string | null {
  if (type === 'tool.interrupted') return payload.callId;
  return type === 'child.settled' && payload.outcome.ending === 'abort' ? (payload.callId ?? null) : null;
}
