import type { ToolCall } from '../../machines/events.ts';
import { eventId, type Logged, type LoggedEvent } from './detector.ts';
import { resultIdentity } from './result-identity.ts';
import { actionOf } from './signature.ts';
import type { TraitsOf } from './traits.ts';

/** A call and what came of it. */
export interface Observed {
  readonly tool: string;
  readonly action: string;
  /** Equal for results that say the same. */
  readonly result: string;
  readonly failed: boolean;
  /** The ids of the answer that asked for it, and of its result. */
  readonly evidence: readonly [asked: string, answered: string];
}

type OpenCall = Pick<Observed, 'tool' | 'action'> & { readonly callId: string };

/** The newest answer's calls, in the order the model asked, and their results so far. */
export interface Awaiting {
  readonly asked: string;
  readonly open: readonly OpenCall[];
  readonly done: { readonly [callId: string]: Result };
}

type Result = Pick<Observed, 'result' | 'failed'> & { readonly id: string };

export const NOTHING_AWAITED: Awaiting = { asked: '', open: [], done: {} };

export interface Pairing {
  readonly awaiting: Awaiting;
  /** All pairs of an answer, in the order it asked for them, with the fact that completes the last of them. */
  readonly observed: readonly Observed[];
}

/**
 * Pairs calls with their results. The order in which parallel calls happen to end means nothing; a refusal is a failed
 * result like any other. What was interrupted has no result, and no pair: neither has work that was handed over and met
 * a provider that failed.
 */
export function paired(awaiting: Awaiting, event: LoggedEvent, traits: TraitsOf): Pairing {
  if (event.type === 'model.completed') {
    const open = event.payload.calls.map((call) => {
      const { callId, tool } = call;
      return { callId, tool, action: actionOf(call, traits(tool)) };
    });
    return { awaiting: { asked: eventId(event), open, done: {} }, observed: [] };
  }
  if (awaiting.open.length === 0) return { awaiting, observed: [] };
  const { open, done } = taken(awaiting, event);
  if (open === awaiting.open && done === awaiting.done) return { awaiting, observed: [] };
  const isOwed = open.some(({ callId }) => !Object.hasOwn(done, callId));
  if (isOwed) return { awaiting: { asked: awaiting.asked, open, done }, observed: [] };
  const observed = open.flatMap(({ callId, tool, action }) => {
    const result = done[callId];
    if (!result) return [];
    return [{ tool, action, result: result.result, failed: result.failed, evidence: [awaiting.asked, result.id] as const }];
  });
  return { awaiting: NOTHING_AWAITED, observed };
}

function taken({ open, done }: Awaiting, event: LoggedEvent): Pick<Awaiting, 'open' | 'done'> {
  const id = eventId(event);
  const isOpen = (callId: string) => open.some((call) => call.callId === callId) && !Object.hasOwn(done, callId);
  const has = (callId: string, text: string, failed: boolean) => {
    if (!isOpen(callId)) return { open, done };
    return { open, done: { ...done, [callId]: { result: resultOf(event, text, failed), failed, id } } };
  };
  const without = (callId: string) => {
    if (!isOpen(callId)) return { open, done };
    return { open: open.filter((call) => call.callId !== callId), done };
  };
  switch (event.type) {
    case 'tool.completed':
      return has(event.payload.callId, event.payload.output, false);
    case 'tool.failed':
      return has(event.payload.callId, event.payload.fault.message, true);
    case 'person.answered':
      return has(event.payload.callId, event.payload.answer, false);
    case 'tool.interrupted':
      return without(event.payload.callId);
    case 'child.settled': {
      const { callId, outcome, answer } = event.payload;
      if (callId === undefined) return { open, done };
      return outcome.ending === 'abort' ? without(callId) : has(callId, answer, outcome.ending !== 'success');
    }
    case 'calls.admitted':
      return refusedIn(event, open, done, isOpen);
    default:
      return { open, done };
  }
}

function refusedIn(
  event: Logged<'calls.admitted'>,
  open: readonly OpenCall[],
  done: Awaiting['done'],
  isOpen: (callId: ToolCall['callId']) => boolean,
): Pick<Awaiting, 'open' | 'done'> {
  const refused = event.payload.refused.filter(({ callId }) => isOpen(callId));
  if (refused.length === 0) return { open, done };
  const id = eventId(event);
  const results = refused.map(({ callId, reason }): [string, Result] => {
    return [callId, { result: resultIdentity(`failed\n${reason}`), failed: true, id }];
  });
  return { open, done: { ...done, ...Object.fromEntries(results) } };
}

/** Several detectors ask for the same result: each is digested once. */
const known = new WeakMap<LoggedEvent, string>();

function resultOf(event: LoggedEvent, text: string, failed: boolean): string {
  const result = known.get(event) ?? resultIdentity(`${failed ? 'failed' : 'done'}\n${text}`);
  known.set(event, result);
  return result;
}
