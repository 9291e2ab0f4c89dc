import { isDeepStrictEqual } from 'node:util';
import type { Envelope } from '../../log/envelope.ts';
import type { Log } from '../../log/log.ts';
import { Reading } from '../../log/reading.ts';
import { Asking } from '../../projections/questions.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';

interface Followed {
  readonly reading: Reading;
  readonly asking: Asking;
}

/** What runs below may have been asked meanwhile is in their own logs. */
const OF_CHILDREN: readonly string[] = ['child.asked', 'child.answered', 'child.settled'];

/** Notices which facts change what people are asked, each run as its loop says it. */
export class ChangingQuestions {
  readonly #log: Pick<Log, 'read'>;
  readonly #loops: readonly LoopDefinition[];
  readonly #runs = new Map<string, Followed>();

  constructor({ log, definitions }: { readonly log: Pick<Log, 'read'>; readonly definitions: readonly LoopDefinition[] }) {
    this.#log = log;
    this.#loops = definitions;
  }

  /** Whether a fact in the log of a run may have changed it. Facts come once each, in order; those before the first are read. */
  async changesWith(envelope: Envelope, run = envelope.run): Promise<boolean> {
    const { reading, asking } = this.#runs.get(run) ?? (await this.#caughtUp(run, envelope.version - 1));
    const before = asking.open();
    const read = reading.read(envelope);
    // Who folds the run says that it cannot be read.
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
