import type { LoopEvent } from '../../../machines/events.ts';
import { improvementEntry } from '../../../machines/index.ts';
import { vocabularyOf } from '../../../machines/vocabulary.ts';
import type { Json } from '../../../src/log/envelope.ts';
import type { Log } from '../../../src/log/log.ts';
import { appended, decided, take } from '../../../src/testing/log-contract/contract.ts';
import { recordedNight } from './recorded-night.ts';

/** Writes a run of the improvement loop into a log, as one that has ended, and where its experiments begin and end. */
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
  const [first, ...rest] = written;
  if (!first) throw new Error('a night has events');
  const { epoch } = lease;
  await appended(log.append({ run, events: [first], expectedVersion: 0, epoch }));
  for (const [index, { type, payload }] of events.entries()) {
    // Those of made-up nights may share a name.
    if (type !== 'child.settled' || (await log.run(payload.child))) continue;
    const effect = `${run}/${index + 1}/0`;
    const started = { ...first, payload: { settings: { parent: { effect } } } };
    const { ending } = payload.outcome;
    const told = { run: payload.child, events: [started, decided(ending)], expectedVersion: 0, closes: ending };
    await appended(log.append({ ...told, epoch, parentEffect: effect }));
  }
  await appended(log.append({ run, events: rest, expectedVersion: 1, epoch, closes: 'success' }));
  await log.release(lease);
}
