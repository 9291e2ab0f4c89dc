import type { CatalogueEntry } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import type { Outstanding } from './outstanding-effects.ts';

// Effects that queue, as the calls of one answer do: at most `settings.maxParallel` of them run at once, in the order
// in which the chart asked. Which of them have started follows from the log alone. So after a crash one that had not
// started begins as if nothing had happened, also where it must not be repeated.

interface Queue {
  readonly entry: Pick<CatalogueEntry, 'queues'>;
  /** Absent: the run was recorded before there was a limit. */
  readonly maxParallel?: number | undefined;
}

/** Whether effects of an actor are queued before they start. */
export const queues = (actor: string, { entry, maxParallel }: Queue): boolean =>
  maxParallel !== undefined && (entry.queues?.includes(actor) ?? false);

/**
 * The outstanding effects, where those for which there is room are queued no more. A delegated task that waits for a
 * person takes no place: when it goes on, one more than the limit may run.
 */
export function admitQueued(
  outstanding: readonly Outstanding[],
  queue: Queue & { readonly pending: Life['pending'] },
): readonly Outstanding[] {
  if (!outstanding.some(({ queued }) => queued)) return outstanding;
  const { pending, maxParallel = Infinity } = queue;
  const working = outstanding.filter(
    ({ actor, key, queued }) => queues(actor, queue) && !queued && pending[key] !== 'waiting',
  );
  let free = maxParallel - working.length;
  return outstanding.map((one) => {
    if (!one.queued || one.told || free <= 0) return one;
    free -= 1;
    const { queued: _over, ...begun } = one;
    return begun;
  });
}

/** A pause has found these effects queued: they have not started since. */
export const queuedAgain = (outstanding: readonly Outstanding[], effects: readonly string[]): readonly Outstanding[] =>
  effects.length === 0
    ? outstanding
    : outstanding.map((one) => (effects.includes(one.effect) ? { ...one, queued: true } : one));
