import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { Narration } from '../kernel/narration.ts';
import { LoopInView } from './loop-in-view.ts';

/** The time until which a run waits, as the narration of its loop has it: until a limit of its provider ends. */
export class WaitInView {
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
