import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { Fault } from '../../machines/outcome.ts';
import type { EffectCall } from '../actors/actor.ts';
import { parseDecision } from '../strategies/decision.ts';
import type { IterationCompleteEvent, LoopEndEvent, LoopStrategy, StrategyCall } from '../strategies/strategy.ts';
import { StrategyError } from '../strategies/strategy-error.ts';
import type { Advice } from './judging.ts';

/** How long a strategy may think, where its host says nothing else. */
export const STRATEGY_LIMIT_MS = 60_000;

/** Somebody waits for a strategy: until `signal`, and no longer than `limitMs`. */
export interface Waiting extends Pick<EffectCall, 'signal'> {
  readonly limitMs?: number;
}

/** A strategy is asked about a round: what its loop calls one is said where it fails. */
interface Asking extends Waiting {
  readonly round: string;
}

export type Advised = { readonly kind: 'advice'; readonly advice: Advice } | { readonly kind: 'fault'; readonly fault: Fault };

/** Asks a strategy that takes its time. It may be anybody's code: what it throws, or never says, comes back as a fault. */
export async function advise(strategy: LoopStrategy, event: IterationCompleteEvent, { round, ...waiting }: Asking): Promise<Advised> {
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

/** Tells a strategy how its loop ended. Whatever it does with that changes nothing any more. */
export async function* farewell(strategy: LoopStrategy, event: LoopEndEvent, waiting: Waiting): AsyncIterable<LoopEvent> {
  let fault: Fault | null = null;
  try {
    await inTime(async (call) => strategy.onLoopEnd?.(event, call), waiting);
  } catch (error) {
    // Paused is not refused: it is told again when the run is resumed.
    if (waiting.signal.aborted) return;
    fault = faultOf(error);
  }
  yield strategyEnded(strategy.name, fault);
}

export const strategyEnded = (strategy: string | null, fault: Fault | null): EventOf<'strategy.ended'> => ({
  type: 'strategy.ended',
  payload: { strategy, fault },
});

/** What comes of work within its time. Whoever does it is told when nobody waits any more. */
function inTime<Value>(work: (call: StrategyCall) => Promise<Value>, { signal, limitMs = STRATEGY_LIMIT_MS }: Waiting): Promise<Value> {
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
