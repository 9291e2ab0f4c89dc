import type { LoopEvent } from '../../machines/events.ts';

/** More letters than this wait outside until there is room. */
export const MAILBOX_LIMIT_LETTERS = 1024;

/**
 * Why a letter changes nothing. `left`: the run goes on, elsewhere or later. `standing`: it was to be paused, and nobody is
 * working on it. `aborting`: it was to be paused, and is about to end.
 */
export type Refusal = 'ended' | 'left' | 'unexpected' | 'not_outstanding' | 'not_json' | 'paused' | 'standing' | 'aborting';
export type Verdict =
  | { readonly kind: 'accepted'; readonly version: number }
  | { readonly kind: 'rejected'; readonly because: Refusal };

/** An event on its way to a run. */
export interface Letter {
  readonly event: LoopEvent;
  /** The effect (`version/n`) it is a result of. */
  readonly causation: string | null;
  /** The inbox entry it delivers. */
  readonly entry?: number;
  readonly answered?: (verdict: Verdict) => void;
}

/** Many producers, one reader, one letter at a time. */
export class Mailbox {
  readonly #letters: Letter[] = [];
  readonly #producers: (() => void)[] = [];
  #reader: ((letter: Letter | null) => void) | null = null;
  #closed: 'ended' | 'left' | null = null;

  /** Resolves when the letter is in the box; after `close` letters are rejected for the reason it was closed for. */
  async post(letter: Letter): Promise<void> {
    while (this.#closed === null && this.#letters.length >= MAILBOX_LIMIT_LETTERS) {
      await new Promise<void>((resolve) => this.#producers.push(resolve));
    }
    if (this.#closed !== null) {
      letter.answered?.({ kind: 'rejected', because: this.#closed });
      return;
    }
    const reader = this.#reader;
    this.#reader = null;
    if (reader) reader(letter);
    else this.#letters.push(letter);
  }

  /** The next letter, or null once the box is closed and empty. */
  take(): Promise<Letter | null> {
    const letter = this.#letters.shift();
    this.#producers.shift()?.();
    if (letter) return Promise.resolve(letter);
    if (this.#closed !== null) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  close(because: 'ended' | 'left'): void {
    this.#closed = because;
    for (const letter of this.#letters.splice(0)) letter.answered?.({ kind: 'rejected', because });
    for (const producer of this.#producers.splice(0)) producer();
    this.#reader?.(null);
    this.#reader = null;
  }
}
