import { isDeepStrictEqual } from 'node:util';
import type { Envelope } from '../../log/envelope.ts';
import type { Log } from '../../log/log.ts';
import { Reading } from '../../log/reading.ts';
import { Asking } from '../../projections/questions.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';

interface Followed {
  readonly reading: Reading;
  readonly asking: Asking;
}

/** Events after which questions of child runs, recorded in their own logs, may have changed. */
const OF_CHILDREN: readonly string[] = ['child.asked', 'child.answered', 'child.settled'];

/** Finds the facts that change a run's open questions, by the definition of its loop. */
export class ChangingQuestions {
  readonly #log: Pick<Log, 'read'>;
  readonly #loops: readonly LoopDefinition[];
  readonly #runs = new Map<string, Followed>();

  constructor({
    log,
    definitions,
  }: {
    readonly log: Pick<Log, 'read'>;
    readonly definitions: readonly LoopDefinition[];
  }) {
    this.#log = log;
    this.#loops = definitions;
  }

  /**
   * Whether a fact in the log of a run may have changed its open questions. Call it with each fact once, in order;
   * facts before the first are read from the log.
   */
  async changesWith(envelope: Envelope, run = envelope.run): Promise<boolean> {
    const { reading, asking } = this.#runs.get(run) ?? (await this.#caughtUp(run, envelope.version - 1));
    const before = asking.open();
    const read = reading.read(envelope);
    // The folding of the run reports an unreadable event.
    if (read.kind === 'unreadable') return false;
    asking.observe(read.event);
    if (read.event.type === 'child.settled') this.#runs.delete(read.event.payload.child);
    return OF_CHILDREN.includes(read.event.type) || !isDeepStrictEqual(asking.open(), before);
  }

  async #caughtUp(run: string, to: number): Promise<Followed> {
    const followed = { reading: new Reading(this.#loops), asking: new Asking(this.#loops) };
    this.#runs.set(run, followed);
    if (to === 0) return followed;
    for await (const envelope of this.#log.read(run, { to })) {
      const read = followed.reading.read(envelope);
      if (read.kind === 'event') followed.asking.observe(read.event);
    }
    return followed;
  }
}
