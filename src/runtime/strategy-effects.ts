import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { Fault } from '../../machines/outcome.ts';
import type { EffectCall } from '../actors/actor.ts';
import { parseDecision } from '../strategies/decision.ts';
import type { IterationCompleteEvent, LoopEndEvent, LoopStrategy } from '../strategies/strategy.ts';
import type { Advice } from './judge.ts';

/** How long a strategy may think. */
export const STRATEGY_LIMIT_MS = 60_000;

export type Advised = { readonly kind: 'advice'; readonly advice: Advice } | { readonly kind: 'fault'; readonly fault: Fault };

/** Asks a strategy that takes its time. It may be anybody's code: what it throws, or never says, comes back as a fault. */
export async function advise(strategy: LoopStrategy, event: IterationCompleteEvent, { signal }: EffectCall): Promise<Advised> {
  const asked = { strategy: strategy.name, iteration: event.iteration };
  try {
    const answer = await inTime(Promise.resolve(strategy.onIterationComplete(event)), signal);
    const parsed = parseDecision(answer, asked);
    if (parsed.kind === 'invalid') {
      const { code, message } = parsed.fault;
      return { kind: 'fault', fault: { code, message: `run ${event.runId}: ${message}` } };
    }
    return { kind: 'advice', advice: { strategy: strategy.name, decision: parsed.decision } };
  } catch (error) {
    const place = `strategy ${strategy.name}, run ${event.runId}, iteration ${event.iteration + 1}`;
    return { kind: 'fault', fault: { code: 'strategy_failed', message: `${place}: ${messageOf(error)}` } };
  }
}

/** Tells a strategy how its loop ended. Whatever it does with that changes nothing any more. */
export async function* farewell(strategy: LoopStrategy, event: LoopEndEvent, { signal }: EffectCall): AsyncIterable<LoopEvent> {
  let fault: Fault | null = null;
  try {
    await inTime(Promise.resolve(strategy.onLoopEnd?.(event)), signal);
  } catch (error) {
    // Paused is not refused: it is told again when the run is resumed.
    if (signal.aborted) return;
    fault = { code: 'strategy_failed', message: messageOf(error) };
  }
  yield strategyEnded(strategy.name, fault);
}

export const strategyEnded = (strategy: string | null, fault: Fault | null): EventOf<'strategy.ended'> => ({
  type: 'strategy.ended',
  payload: { strategy, fault },
});

function inTime<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${STRATEGY_LIMIT_MS / 1000} s`));
    const stopped = () => reject(new Error('it was told to stop'));
    const timer = setTimeout(late, STRATEGY_LIMIT_MS);
    signal.addEventListener('abort', stopped, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stopped);
    });
  });
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
