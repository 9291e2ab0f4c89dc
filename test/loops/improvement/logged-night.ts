import type { LoopEvent } from '../../../machines/events.ts';
import { improvementEntry } from '../../../machines/index.ts';
import { vocabularyOf } from '../../../machines/vocabulary.ts';
import type { Json } from '../../../src/log/envelope.ts';
import type { Log } from '../../../src/log/log.ts';
import { appended, take } from '../../log/facts.ts';
import { recordedNight } from './recorded-night.ts';

/** Writes a run of the improvement loop into a log, as one that has ended. */
export async function logNight(log: Log, run: string, events: readonly LoopEvent[]): Promise<void> {
  const words = vocabularyOf(improvementEntry.events);
  const lease = await take(log, run);
  const written = recordedNight(events).map(({ type, payload, at }) => ({
    type,
    schema: words.get(type)?.schema ?? 1,
    payload: payload as Json,
    at,
    causation: null,
    mark: null,
  }));
  await appended(log.append({ run, events: written, expectedVersion: 0, epoch: lease.epoch, closes: 'success' }));
  await log.release(lease);
}
