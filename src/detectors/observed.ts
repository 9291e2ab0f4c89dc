import { answersWithOne } from './answering-commands.ts';
import { eventId, type Logged, type LoggedEvent } from './detector.ts';
import { resultIdentity } from './result-identity.ts';
import { actionOf } from './signature.ts';
import { type Replacement, replacementOf } from './replaced-thing.ts';
import { commandOf, says, type TraitsOf } from './traits.ts';
import { isWritingCommand } from './writing-commands.ts';

/** The code of a call's fault where there is no tool of that name. */
export const TOOL_UNKNOWN = 'tool_unknown';

/** A call and its result. */
export interface Observed {
  readonly tool: string;
  readonly action: string;
  /** Equal for results that differ only in what is new each time. */
  readonly result: string;
  readonly failed: boolean;
  /**
   * How the work that was asked for went: a command that ran may have failed nevertheless. `unknown`: there is no such
   * tool.
   */
  readonly end: 'done' | 'failed' | 'unknown';
  /** A search that has found nothing. */
  readonly foundNothing: boolean;
  /** It is meant to be made repeatedly. */
  readonly isPolling: boolean;
  /** It never counts as a repetition where calls alone are counted. */
  readonly isExempt: boolean;
  /** It changes something. */
  readonly isWriting: boolean;
  /** What it replaces as a whole. Null: nothing. */
  readonly replaces: Replacement | null;
  /** The ids of the event that asked for it and of its result. */
  readonly evidence: readonly [asked: string, answered: string];
}

type OpenCall = Omit<Observed, 'result' | 'failed' | 'end' | 'foundNothing' | 'evidence'> & {
  readonly callId: string;
  /** A status of 1 is an answer of the command that it runs. */
  readonly isAnswering: boolean;
};
type Result = Pick<Observed, 'result' | 'failed' | 'end' | 'foundNothing'> & { readonly id: string };

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
  const earlier = pairings.get(event);
  if (earlier?.awaiting === awaiting && earlier.traits === traits) return earlier.pairing;
  const pairing = pairingOf(awaiting, event, traits);
  pairings.set(event, { awaiting, traits, pairing });
  return pairing;
}

/** Detectors that have awaited the same results get the same pairing, and await the same ones again: made once. */
const pairings = new WeakMap<LoggedEvent, { awaiting: Awaiting; traits: TraitsOf; pairing: Pairing }>();

function pairingOf(awaiting: Awaiting, event: LoggedEvent, traits: TraitsOf): Pairing {
  if (event.type === 'model.completed') return { awaiting: asking(event, traits), observed: [] };
  const pending = (callId: string) =>
    Object.hasOwn(awaiting.done, callId) ? undefined : awaiting.open.find((call) => call.callId === callId);
  if (awaiting.open.length === 0) return { awaiting, observed: [] };
  const results = resultsIn(event).flatMap((one) => {
    const call = pending(one.callId);
    return call ? [[one.callId, endedAs(call, one, traits)] as const] : [];
  });
  const lost = unknownResultIn(event);
  if (results.length === 0 && !(lost !== null && pending(lost))) return { awaiting, observed: [] };
  const { asked } = awaiting;
  const open = awaiting.open.filter(({ callId }) => callId !== lost);
  const done = { ...awaiting.done, ...Object.fromEntries(results) };
  if (open.some(({ callId }) => !Object.hasOwn(done, callId))) return { awaiting: { asked, open, done }, observed: [] };
  return { awaiting: NOTHING_AWAITED, observed: open.flatMap((call) => pairOf(call, done[call.callId], asked)) };
}

function asking(event: Logged<'model.completed'>, traits: TraitsOf): Awaiting {
  const open = event.payload.calls.map((call) => {
    const own = traits(call.tool);
    const command = commandOf(own, call);
    const isPolling = says(own.polling, call);
    const isExempt = own.identity === 'exempt';
    const isWriting = says(own.writes, call) || (command !== null && isWritingCommand(command));
    const isAnswering = command !== null && answersWithOne(command);
    const { callId, tool } = call;
    const replaces = replacementOf(call, own);
    return { callId, tool, action: actionOf(call, own), isPolling, isExempt, isWriting, isAnswering, replaces };
  });
  return { asked: eventId(event), open, done: {} };
}

function pairOf(
  { callId: _id, isAnswering: _of, ...call }: OpenCall,
  done: Result | undefined,
  asked: string,
): Observed[] {
  if (!done) return [];
  const { id, ...result } = done;
  return [{ ...call, ...result, evidence: [asked, id] }];
}

interface ResultOf extends Omit<Result, 'end' | 'foundNothing'> {
  readonly callId: string;
  readonly text: string;
  readonly code: string | null;
}

function endedAs(call: OpenCall, { callId: _, text, code, ...result }: ResultOf, traits: TraitsOf): Result {
  if (result.failed) return { ...result, end: code === TOOL_UNKNOWN ? 'unknown' : 'failed', foundNothing: false };
  const own = traits(call.tool);
  const status = own.command?.statusIn(text) ?? 0;
  const isAnswer = status === 1 && call.isAnswering;
  // A command that finds nothing prints nothing but its status.
  const foundNothing = isAnswer ? !text.includes('\n') : (own.foundNothing?.(text) ?? false);
  return { ...result, end: status === 0 || isAnswer ? 'done' : 'failed', foundNothing };
}

/** The results that an event brings, one for each call. */
function resultsIn(event: LoggedEvent): readonly ResultOf[] {
  const id = eventId(event);
  return answersIn(event).map(({ callId, text, failed, code = null }) => {
    return { callId, failed, text, code, id, result: resultIdentity(`${failed ? 'failed' : 'done'}\n${text}`) };
  });
}

interface Answer {
  readonly callId: string;
  readonly text: string;
  readonly failed: boolean;
  /** Of the fault. */
  readonly code?: string;
}

function answersIn({ type, payload }: LoggedEvent): readonly Answer[] {
  switch (type) {
    case 'tool.completed':
      return [{ callId: payload.callId, text: payload.output, failed: false }];
    case 'tool.failed':
      return [{ callId: payload.callId, text: payload.fault.message, failed: true, code: payload.fault.code }];
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
