import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { EventStore } from '../log/event-store.ts';
import type { PausedBy } from '../runtime/run-end.ts';
import { factPages } from './read-summary.ts';
import { Asking } from './questions.ts';
import type { Narration } from '../kernel/narration.ts';
import { LoopInView } from './loop-in-view.ts';

/** The time until which a run waits, as the narration of its loop has it: until a limit of its provider ends. */
class WaitInView {
  readonly #inView: LoopInView;
  #narration: Narration | undefined;
  #described: LoopDefinition | null = null;
  #until: string | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#inView = new LoopInView(loops);
  }

  /** Takes each readable fact of the run once, in order. */
  observe(fact: Fact): void {
    const loop = this.#inView.observe(fact);
    if (loop !== this.#described) this.#narration = loop?.describe.narration?.(this.#narration);
    this.#described = loop;
    for (const wait of this.#narration?.tell(fact)?.waits ?? []) {
      if (wait.kind === 'only') this.#until = wait.until ?? null;
      else if (wait.kind === 'over' && wait.key === undefined) this.#until = null;
    }
  }

  /** RFC 3339. Null: it waits for nothing that has a time. */
  get until(): string | null {
    return this.#until;
  }
}

/** What a run that has not ended asks, why it is paused and until when it waits, folded in one reading. */
export class OpenRun {
  readonly asking: Asking;
  readonly #wait: WaitInView;
  #pausedBy: PausedBy | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.asking = new Asking(loops);
    this.#wait = new WaitInView(loops);
  }

  /** Takes each readable fact of the run once, in order. */
  observe(fact: Fact): void {
    this.asking.observe(fact);
    this.#wait.observe(fact);
    if (fact.type === 'run.paused') this.#pausedBy = fact.payload.by;
    if (fact.type === 'run.resumed' || fact.type === 'run.continued') this.#pausedBy = null;
  }

  /** Why the run was paused. Null: it was not, or was resumed since. */
  get pausedBy(): PausedBy | null {
    return this.#pausedBy;
  }

  /** RFC 3339. Null: it waits for nothing that has a time. */
  get waitsUntil(): string | null {
    return this.#wait.until;
  }
}

/** Reads a run that has not ended. */
export async function readOpenRun(log: EventStore, run: string, loops: readonly LoopDefinition[]): Promise<OpenRun> {
  const open = new OpenRun(loops);
  for await (const page of factPages(log, run, loops)) for (const fact of page) open.observe(fact);
  return open;
}
