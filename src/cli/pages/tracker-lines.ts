import { TrackedRun } from '../../app/records/run-tracker.ts';
import { type LoopDefinition, loopNameOf } from '../../kernel/loop-definition.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { Unreadable } from '../../log/read-event.ts';
import { Reading } from '../../log/reading.ts';
import { unreadableSentence } from '../../log/unreadable.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import type { Output } from '../terminal/output.ts';
import { asJson } from './as-json.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { Complaint, usage } from './complaint.ts';

/**
 * Prints the tracker events of a run as JSON, one a line. Throws a `Complaint` where its loop has none, and at an event
 * that cannot be read.
 */
export async function trackerLines(
  out: Output,
  envelopes: AsyncIterable<Envelope>,
  loops: readonly LoopDefinition[],
): Promise<void> {
  const reading = new Reading(loops);
  const tracked = new TrackedRun(loops);
  for await (const envelope of envelopes) {
    const read = reading.read(envelope);
    if (read.kind !== 'event') throw new Complaint(EXIT.log, untracked(read), ['events', envelope.run]);
    if (read.event.type === 'run.started') assertTracked(read.event.payload.machine, loops);
    for (const event of tracked.observe(read)) out.line(asJson(event));
    if (!out.isOpen) return;
  }
}

const untracked = (read: Unreadable): string => `the costs need every event: ${unreadableSentence(read)}`;

function assertTracked(machine: string, loops: readonly LoopDefinition[]): void {
  if (knownLoop(machine, loops)?.describe.tracker) return;
  const names = loops.filter(({ describe }) => describe.tracker).map(({ id }) => loopNameOf(id));
  const expected = names.length === 0 ? 'a run of a loop with phases' : `a run of the loop ${names.join(' or ')}`;
  throw usage('--tracker', expected, `one of the loop ${loopNameOf(machine)}`, ['events', '--help']);
}
