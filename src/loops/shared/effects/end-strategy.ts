import type { JudgeMemory } from '../../../judging/judge-memory.ts';
import { callLoopEnd, strategyEnded } from '../../../judging/strategy-effects.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { LoopDefinition } from '../../../kernel/loop-definition.ts';
import { finalResult } from '../../../strategies/final-result.ts';
import type { LoopEndEvent, LoopStrategy } from '../../../strategies/strategy.ts';
import { repeatableExecution } from './execution.ts';
import type { Effect, EffectWork } from '../effect.ts';
import type { EffectServices } from '../../../ports/services.ts';
import type { LoopEvent } from '../../../../machines/events.ts';
import type { Hook, ToldHook } from '../../../../machines/hooks.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import { runHook } from '../../../actors/run-hook.ts';

/** The longest time of a hook at the end: the end itself has a limit, which nothing in it may reach. */
const MAX_END_MS = 20_000;

/** The hooks that are told of the end of a run. Attempts and delegated work are no ends for a person. */
const hooksAtEnd = ({ hooks = [], parent }: Pick<RunSettings, 'hooks' | 'parent'>): readonly Hook[] =>
  parent ? [] : hooks.filter(({ on }) => on === 'end');

interface Ending {
  readonly context: RunContext;
  readonly answer: string;
  readonly signal: AbortSignal;
}

/** The last event of a run, with the hooks that were told of its end. All of them run at once. */
async function* withHooksAtEnd(
  events: AsyncIterable<LoopEvent> | Iterable<LoopEvent>,
  { context, answer, signal }: Ending,
): AsyncIterable<LoopEvent> {
  const { run, settings, state } = context;
  for await (const event of events) {
    if (event.type !== 'strategy.ended') {
      yield event;
      continue;
    }
    const place = { run, directory: settings.directory, passes: settings.environment ?? [], signal };
    const happened = { hook: 'end', run, outcome: lifeOf(state).outcome, answer };
    const told = hooksAtEnd(settings).map(async (hook): Promise<ToldHook> => {
      const limited = { ...hook, timeoutMs: Math.min(hook.timeoutMs, MAX_END_MS) };
      return { on: 'end', command: hook.command, ...(await runHook(limited, happened, place).catch(failedAs)) };
    });
    const hooks = await Promise.all(told);
    // A run that pauses here tells them again when it is resumed.
    if (signal.aborted) return;
    yield { ...event, payload: { ...event.payload, ...(hooks.length > 0 ? { hooks } : {}) } };
  }
}

const failedAs = (error: unknown) => ({
  passed: false,
  said: error instanceof Error ? error.message : String(error),
  durationMs: 0,
});

/** Tells the strategy of the end, where the loop asks one and it has `onLoopEnd`, and after it the hooks. */
const endStrategy = ({ strategyLimitMs }: Pick<EffectServices, 'strategyLimitMs'>): EffectWork => ({
  execute: ({ context, memory, strategy }) =>
    repeatableExecution(({ signal }) => {
      const ended = asksStrategy(memory.loop, strategy)
        ? callLoopEnd(strategy, loopEnd(context, memory.loop), { signal, limitMs: strategyLimitMs })
        : [strategyEnded(null, null)];
      return withHooksAtEnd(ended, { context, answer: memory.answer(), signal });
    }),
});

const asksStrategy = ({ strategyInput }: LoopDefinition, { onLoopEnd }: LoopStrategy): boolean =>
  strategyInput !== undefined && onLoopEnd !== undefined;

function loopEnd({ run, state, at }: RunContext, { rounds }: LoopDefinition): LoopEndEvent {
  const life = lifeOf(state);
  const { outcome, clockStart } = life;
  return {
    runId: run,
    totalIterations: rounds.count(life),
    finalResult: outcome ? finalResult(outcome) : 'error',
    ending: outcome?.ending ?? 'abort',
    elapsedMs: Math.max(0, Date.parse(at) - Date.parse(clockStart)),
  };
}

export const strategyEnd: Effect = {
  class: 'repeatable',
  interrupted: null,
  decide: ({ settings }, memory, { strategy }) =>
    asksStrategy((memory as JudgeMemory).loop, strategy) || hooksAtEnd(settings).length > 0
      ? null
      : strategyEnded(null, null),
  handler: endStrategy,
};
