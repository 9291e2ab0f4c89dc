import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { Fault } from '../../machines/outcome.ts';
import type { EffectCall } from '../actors/actor.ts';
import { parseDecision } from '../strategies/loop-decision.ts';
import type { IterationCompleteEvent, LoopEndEvent, LoopStrategy, StrategyCall } from '../strategies/strategy.ts';
import { StrategyError } from '../strategies/strategy-error.ts';
import type { Advice } from '../kernel/decision.ts';

/** How long a strategy may take to answer, unless its host sets another limit. */
export const STRATEGY_LIMIT_MS = 60_000;

/** How long the caller waits for a strategy: until `signal`, and at most `limitMs`. */
export interface TimeLimit extends Pick<EffectCall, 'signal'> {
  readonly limitMs?: number;
}

/** A question to a strategy. `round`: the loop's word for one, for error messages. */
interface Asking extends TimeLimit {
  readonly round: string;
}

export type Advised =
  | { readonly kind: 'advice'; readonly advice: Advice }
  | { readonly kind: 'fault'; readonly fault: Fault };

/**
 * Asks an asynchronous strategy. It may be custom code: an exception or a missing answer comes back as a fault.
 */
export async function advise(
  strategy: LoopStrategy,
  event: IterationCompleteEvent,
  { round, ...waiting }: Asking,
): Promise<Advised> {
  try {
    const answer = await inTime(async (call) => strategy.onIterationComplete(event, call), waiting);
    const parsed = parseDecision(answer, { strategy: strategy.name, iteration: event.iteration });
    if (parsed.kind === 'invalid') {
      const { code, message } = parsed.fault;
      return { kind: 'fault', fault: { code, message: `run ${event.runId}: ${message}` } };
    }
    return { kind: 'advice', advice: { strategy: strategy.name, decision: parsed.decision } };
  } catch (error) {
    const place = `strategy ${strategy.name}, run ${event.runId}, ${round} ${event.iteration + 1}`;
    const { code, message } = faultOf(error);
    return { kind: 'fault', fault: { code, message: `${place}: ${message}` } };
  }
}

/** Calls `onLoopEnd` of a strategy. Its result changes nothing any more; a fault is recorded. */
export async function* callLoopEnd(
  strategy: LoopStrategy,
  event: LoopEndEvent,
  waiting: TimeLimit,
): AsyncIterable<LoopEvent> {
  let fault: Fault | null = null;
  try {
    await inTime(async (call) => strategy.onLoopEnd?.(event, call), waiting);
  } catch (error) {
    // A pause is not a fault: the strategy is called again when the run is resumed.
    if (waiting.signal.aborted) return;
    fault = faultOf(error);
  }
  yield strategyEnded(strategy.name, fault);
}

export const strategyEnded = (strategy: string | null, fault: Fault | null): EventOf<'strategy.ended'> => ({
  type: 'strategy.ended',
  payload: { strategy, fault },
});

/** The result of work within its time limit. Its signal aborts when the caller no longer waits. */
function inTime<Value>(
  work: (call: StrategyCall) => Promise<Value>,
  { signal, limitMs = STRATEGY_LIMIT_MS }: TimeLimit,
): Promise<Value> {
  const over = new AbortController();
  return new Promise((resolve, reject) => {
    const late = () => give(new StrategyError('strategy_timed_out', `no answer within ${limitMs / 1_000} s`));
    const stopped = () => give(new Error('it was told to stop'));
    const timer = setTimeout(late, limitMs);
    const forget = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stopped);
    };
    const give = (why: Error) => {
      forget();
      reject(why);
      over.abort();
    };
    signal.addEventListener('abort', stopped, { once: true });
    work({ signal: over.signal }).then(resolve, reject).finally(forget);
    if (signal.aborted) stopped();
  });
}

function faultOf(error: unknown): Fault {
  const code = error instanceof StrategyError ? error.code : 'strategy_failed';
  return { code, message: error instanceof Error ? error.message : String(error) };
}
