import type { Envelope } from '../../log/envelope.ts';
import { Reading } from '../../log/reading.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';

/** Reads the events of a tree of runs as they are recorded, each run by the vocabulary of its own loop. */
export class LiveReading {
  readonly #loops: readonly LoopDefinition[];
  readonly #readings = new Map<string, Reading>();

  constructor(loops: readonly LoopDefinition[]) {
    this.#loops = loops;
  }

  /** Null: it cannot be read. */
  read(envelope: Envelope): Fact | null {
    const reading = this.#readings.get(envelope.run) ?? new Reading(this.#loops);
    this.#readings.set(envelope.run, reading);
    const read = reading.read(envelope);
    if (read.kind === 'unreadable') return null;
    if (read.event.type === 'child.settled') this.#readings.delete(read.event.payload.child);
    return read.event;
  }
}
