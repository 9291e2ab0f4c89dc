import type { LoopEvent, Usage } from '../../machines/events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import { keptUsage } from '../budget/allowance.ts';

/**
 * Counts the whole reservation as used in an event after which the real usage can no longer be known.
 */
export function withUnsettledReservation(
  event: LoopEvent,
  life: Life,
  { unaccounted = {} }: Pick<CatalogueEntry, 'unaccounted'>,
): LoopEvent {
  if (event.type === 'timer.fired' && event.payload.timer === 'grace') {
    const usage = keptBy(Object.keys(life.pending), life);
    return usage ? { ...event, payload: { ...event.payload, usage } } : event;
  }
  const actor = unaccounted[event.type]?.(event.payload as never);
  const usage = actor === undefined ? null : keptBy([actor], life);
  return usage ? ({ ...event, payload: { ...event.payload, usage } } as LoopEvent) : event;
}

function keptBy(actors: readonly string[], life: Life): Usage | null {
  const [first, ...others] = actors.flatMap((actor) => keptUsage(life, actor) ?? []);
  return first ? others.reduce(sumOf, first) : null;
}

function sumOf(one: Usage, other: Usage): Usage {
  const cost =
    one.cost || other.cost ? { cost: { nanoUsd: (one.cost?.nanoUsd ?? 0) + (other.cost?.nanoUsd ?? 0) } } : {};
  const tokens = {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
  return { ...tokens, estimated: true, ...cost };
}
