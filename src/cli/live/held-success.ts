import type { Fact } from '../../kernel/effect-handlers.ts';
import type { Envelope } from '../../log/envelope.ts';

/** An event of a tree, and what it says where it can be read. */
export interface HeldEvent {
  readonly envelope: Envelope;
  readonly fact: Fact | null;
}

/**
 * Keeps back the success of the run at the top of a tree, and what follows it, until the log was verified: a line that
 * was printed cannot be taken back.
 */
export class HeldSuccess {
  readonly #show: (event: HeldEvent) => void;
  /** Null: no success has come. */
  #held: HeldEvent[] | null = null;

  constructor(show: (event: HeldEvent) => void) {
    this.#show = show;
  }

  /** `root`: the id of the run at the top. Null before its first fact. */
  take(event: HeldEvent, root: string | null): void {
    if (this.#held === null && isSuccess(event.fact, root)) this.#held = [];
    if (this.#held) this.#held.push(event);
    else this.#show(event);
  }

  get isHolding(): boolean {
    return this.#held !== null;
  }

  /** Shows what was held. The log was verified. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const event of held) this.#show(event);
  }
}

const isSuccess = (fact: Fact | null, root: string | null): boolean =>
  fact?.type === 'decision.made' && fact.payload.sink?.ending === 'success' && fact.run === (root ?? fact.run);
