import type { LoopEvent } from '../../../../machines/events.ts';
import type { Hook, ToldHook } from '../../../../machines/hooks.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import { runHook } from '../../../actors/run-hook.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';
import { lifeOf } from '../../../kernel/fold.ts';

/** The longest time of a hook at the end: the end itself has a limit, which nothing in it may reach. */
const MAX_END_MS = 20_000;

/** The hooks that are told of the end of a run. Attempts and delegated work are no ends for a person. */
export const hooksAtEnd = ({ hooks = [], parent }: Pick<RunSettings, 'hooks' | 'parent'>): readonly Hook[] =>
  parent ? [] : hooks.filter(({ on }) => on === 'end');

interface Ending {
  readonly context: RunContext;
  readonly answer: string;
  readonly signal: AbortSignal;
}

/** The last event of a run, with the hooks that were told of its end. All of them run at once. */
export async function* withHooksAtEnd(
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
