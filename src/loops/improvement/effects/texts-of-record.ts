import type { LoopDefinition } from '../../../kernel/loop-definition.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { readEvents } from '../../../log/reading.ts';
import type { RecordedTexts } from '../../../ports/effect-records.ts';

/** For hosts without a log of their own. */
export const noTexts: RecordedTexts = async function* () {};

/** What the loop itself records: settings name the held-out checks, and checks may tell an agent what they print. */
const OWN = new Set([
  'run.started',
  'run.continued',
  'run.resumed',
  'baseline.taken',
  'verification.completed',
  'decision.made',
]);

/** Reads them from a log, oldest first. */
export const textsIn = ({
  log,
  loops,
}: {
  readonly log: EventStore;
  readonly loops: readonly LoopDefinition[];
}): RecordedTexts =>
  async function* texts(run: string): AsyncIterable<string> {
    for await (const read of readEvents(log, run, loops)) {
      if (read.kind === 'unreadable' || OWN.has(read.event.type)) continue;
      const { type, payload } = read.event;
      if (type === 'child.settled') yield* texts(payload.child);
      yield* stringsIn(payload);
    }
  };

function* stringsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) yield* stringsIn(one);
}
