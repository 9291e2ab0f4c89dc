import type { InboxStore, InboxEntry } from '../log/inbox-store.ts';
import type { EventStore } from '../log/event-store.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { PostResult } from '../kernel/run-message.ts';
import {
  isPause,
  refusalText,
  addressees,
  type Command,
  commandOf,
  HAS_ENDED,
  mostRelevant,
  type NotTaken,
} from './command.ts';
import { watchInbox } from './inbox-poll.ts';
import type { LoopRun } from './loop-run.ts';
import type { PausedBy } from './run-end.ts';

/** What the inbox of a tree needs of it. */
export interface InboxOwner {
  readonly log: InboxStore & EventStore;
  readonly loops: readonly LoopDefinition[];
  readonly root: string;
  readonly runs: ReadonlyMap<string, LoopRun>;
  readonly pause: (by: PausedBy, entry: number) => Promise<PostResult>;
}

/** Delivers the commands in the inbox of a tree to its runs. One look at a time. */
export class TreeInbox {
  readonly #owner: InboxOwner;
  /** Entries whose pause is under way. */
  readonly #pauses = new Set<number>();
  #leave: (() => void) | null = null;
  #isReading = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(owner: InboxOwner) {
    this.#owner = owner;
  }

  /** Looks at the inbox now, and whenever something waits there. A look that fails is repeated by the next. */
  start(): void {
    const { log, root } = this.#owner;
    this.#leave ??= watchInbox(log, root, () => this.#look());
    this.#look();
  }

  /** Resolves when the last look is over. */
  async stop(): Promise<void> {
    this.#leave?.();
    this.#leave = null;
    await this.#reading;
  }

  #look(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#reading = this.#deliver()
      .catch(() => {})
      .finally(() => {
        this.#isReading = false;
      });
  }

  async #deliver(): Promise<void> {
    const { log, loops, root, runs } = this.#owner;
    for (const entry of await log.inbox(root)) {
      if (this.#pauses.has(entry.id)) continue;
      await deliverCommand({ log, loops }, entry, [...runs.values()], async (run, command, id) => {
        if (!isPause(command)) return run.post(command, id);
        // A pause may take the whole grace, and other commands must get through meanwhile.
        this.#pauses.add(id);
        void this.#pauseFor(id, command.payload.by);
        return { kind: 'accepted', version: run.state.version };
      });
    }
  }

  async #pauseFor(entry: number, by: PausedBy): Promise<void> {
    const { log, root, runs, pause } = this.#owner;
    const result = await pause(by, entry);
    const loop = runs.get(root)?.loop;
    if (!loop || result.kind !== 'rejected' || result.because === 'left') return;
    const { because } = result;
    await log.reject(entry, refusalText({ type: 'run.paused', payload: { by } }, { because, loop })).catch(() => {});
  }
}

/** Posts a command to a run of this process. */
export type PostCommand = (run: LoopRun, command: Command, entry: number) => Promise<PostResult>;

/**
 * Delivers an inbox entry to the run it is for, among those of this process. The entry is settled, or, where that run
 * is open and not in this process at this moment, left for later.
 */
export async function deliverCommand(
  { log, loops }: { readonly log: EventStore & InboxStore; readonly loops: readonly LoopDefinition[] },
  entry: InboxEntry,
  runs: readonly LoopRun[],
  hand: PostCommand,
): Promise<void> {
  const command = commandOf(entry, loops);
  if (typeof command === 'string') return log.reject(entry.id, command);
  const record = await log.run(entry.run);
  if (!record || record.closed !== null) return log.reject(entry.id, HAS_ENDED);
  const refused: NotTaken[] = [];
  for (const run of addressees(command, entry.run, runs)) {
    const result = await hand(run, command, entry.id);
    if (result.kind === 'accepted' || result.because === 'left') return;
    refused.push({ because: result.because, loop: run.loop });
  }
  const reported = mostRelevant(command, refused);
  if (reported) await log.reject(entry.id, refusalText(command, reported));
}
