import { type AskedCall, askedCall } from './call-request.ts';
import { lostCallIn, resultsIn } from './call-results.ts';
import { eventId, type Logged, type LoggedEvent } from './detector.ts';
import { type EndedCall, endedCall } from './call-ending.ts';
import type { Observed } from './observation.ts';
import { stepOf } from './answer-step.ts';
import type { TraitsOf } from './traits.ts';

/** The newest answer's calls, in the order the model asked, and their results so far. */
export interface Awaiting {
  readonly asked: string;
  readonly open: { readonly [callId: string]: AskedCall };
  readonly done: { readonly [callId: string]: EndedCall };
}

export const NOTHING_AWAITED: Awaiting = { asked: '', open: {}, done: {} };

export interface Pairing {
  readonly awaiting: Awaiting;
  /**
   * All pairs of an answer, in the order of its calls, with the event that completes the last of them. Equal calls with
   * equal results are one: they were asked at the same moment.
   */
  readonly observed: readonly Observed[];
  /** The same as one step. Null: none is complete. */
  readonly step: Observed | null;
}

const waits = (awaiting: Awaiting): Pairing => ({ awaiting, observed: [], step: null });

/**
 * Pairs calls with their results. The order in which parallel calls end means nothing; a refusal is a failed result
 * like any other. An interrupted call has no result and forms no pair, and neither does delegated work that ended
 * because its provider failed.
 */
export function paired(awaiting: Awaiting, event: LoggedEvent, traits: TraitsOf): Pairing {
  const { event: of, awaiting: from, traits: by } = newest ?? {};
  if (newest && of === event && from === awaiting && by === traits) return newest.pairing;
  const pairing = pairingOf(awaiting, event, traits);
  newest = { event, awaiting, traits, pairing };
  return pairing;
}

/**
 * Detectors that have awaited the same results get the same pairing, and await the same ones again: made once. Only the
 * newest is kept: those of all events of an answer with very many calls are too much.
 */
let newest: { event: LoggedEvent; awaiting: Awaiting; traits: TraitsOf; pairing: Pairing } | null = null;

function pairingOf(awaiting: Awaiting, event: LoggedEvent, traits: TraitsOf): Pairing {
  if (event.type === 'model.completed') return waits(asking(event, traits));
  const { asked } = awaiting;
  // The usual case: nothing is awaited.
  if (awaiting === NOTHING_AWAITED) return waits(awaiting);
  const pending = (callId: string) => (Object.hasOwn(awaiting.done, callId) ? undefined : own(awaiting.open, callId));
  const results = resultsIn(event).flatMap((one) => {
    const call = pending(one.callId);
    return call ? [[one.callId, endedCall(call, one, traits)] as const] : [];
  });
  const lost = lostCallIn(event);
  const isLost = lost !== null && pending(lost) !== undefined;
  if (results.length === 0 && !isLost) return { awaiting, observed: [], step: null };
  const open = isLost ? without(awaiting.open, lost) : awaiting.open;
  const done = { ...awaiting.done, ...Object.fromEntries(results) };
  if (Object.keys(done).length < Object.keys(open).length) return waits({ asked, open, done });
  const observed = eachOnce(Object.values(open).flatMap((call) => pairOf(call, own(done, call.callId), asked)));
  return { awaiting: NOTHING_AWAITED, observed, step: stepOf(observed) };
}

function without<Value>(all: { readonly [key: string]: Value }, key: string): { readonly [key: string]: Value } {
  const { [key]: _, ...others } = all;
  return others;
}

const own = <Value>(all: { readonly [key: string]: Value }, key: string): Value | undefined =>
  Object.hasOwn(all, key) ? all[key] : undefined;

const eachOnce = (observed: readonly Observed[]): readonly Observed[] =>
  observed.length < 2
    ? observed
    : [...new Map(observed.map((one) => [`${one.action} ${one.result}`, one] as const)).values()];

function asking(event: Logged<'model.completed'>, traits: TraitsOf): Awaiting {
  const open = event.payload.calls.map((call) => [call.callId, askedCall(call, traits(call.tool))] as const);
  return { asked: eventId(event), open: Object.fromEntries(open), done: {} };
}

function pairOf(call: AskedCall, done: EndedCall | undefined, asked: string): Observed[] {
  if (!done) return [];
  const { tool, action, words, isExempt, isWriting, mayChange, replaces } = call;
  const { id, ...result } = done;
  return [{ tool, action, words, isExempt, isWriting, mayChange, replaces, ...result, evidence: [asked, id] }];
}
