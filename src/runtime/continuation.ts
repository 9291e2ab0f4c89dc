import type { EventOf } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import type { Outcome, ReachedLimit } from '../../machines/outcome.ts';
import type { Limits } from '../../machines/settings.ts';
import { LIMIT_OF, usedUp } from '../budget/limit-use.ts';
import type { EventStore } from '../log/event-store.ts';
import type { Rounds } from '../kernel/loop-ranking.ts';
import { type Loop, readEvents } from '../log/reading.ts';

/** Whether a limit is above what was used, and has room for the next call where that call did not fit. */
function isRaised({ name, used, next = 1 }: ReachedLimit, limits: Limits): boolean {
  const limit = limits[LIMIT_OF[name]];
  return limit == null || limit >= used + next;
}

/** The limit that would end a continuation before it began. */
export function stillReached(
  outcome: Outcome,
  life: Life,
  limits: Limits,
  { count, used = count, limit }: Rounds,
): ReachedLimit | null {
  if ('limit' in outcome && !isRaised(outcome.limit, limits))
    return { ...outcome.limit, limit: limits[LIMIT_OF[outcome.limit.name]] ?? 0 };
  const rounds = used(life);
  const steps = limit === 'steps' ? Math.max(life.spend.steps, rounds) : life.spend.steps;
  return usedUp(limits, { spend: { ...life.spend, steps }, iterations: limit === 'iterations' ? rounds : 0 });
}

/**
 * The decision that ended a run, and the payload of its latest continuation. Skips unreadable events, unlike a fold.
 */
export async function endOf(log: EventStore, run: string, loops: readonly Loop[]) {
  let end: { version: number; outcome: Outcome } | null = null;
  let continued: EventOf<'run.continued'>['payload'] | null = null;
  for await (const read of readEvents(log, run, loops)) {
    if (read.kind === 'unreadable') continue;
    const { event } = read;
    if (event.type === 'run.continued') continued = event.payload;
    if (event.type === 'decision.made' && event.payload.sink)
      end = { version: event.version, outcome: event.payload.sink };
  }
  return end && { ...end, continued };
}
