import type { RunMessage } from '../kernel/run-message.ts';

/** More messages than this wait outside until there is room. */
export const MAILBOX_LIMIT_MESSAGES = 1024;

/** Many producers, one reader, one message at a time. */
export class Mailbox {
  readonly #messages: RunMessage[] = [];
  readonly #producers: (() => void)[] = [];
  #reader: ((message: RunMessage | null) => void) | null = null;
  #closed: 'ended' | 'left' | null = null;

  /** Resolves when the message is in the box; after `close` messages are rejected for the reason it was closed for. */
  async post(message: RunMessage): Promise<void> {
    while (this.#closed === null && this.#messages.length >= MAILBOX_LIMIT_MESSAGES) {
      await new Promise<void>((resolve) => this.#producers.push(resolve));
    }
    if (this.#closed !== null) {
      message.answered?.({ kind: 'rejected', because: this.#closed });
      return;
    }
    const reader = this.#reader;
    this.#reader = null;
    if (reader) reader(message);
    else this.#messages.push(message);
  }

  /** The next message, or null once the box is closed and empty. */
  take(): Promise<RunMessage | null> {
    const message = this.#messages.shift();
    this.#producers.shift()?.();
    if (message) return Promise.resolve(message);
    if (this.#closed !== null) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  close(because: 'ended' | 'left'): void {
    this.#closed = because;
    for (const message of this.#messages.splice(0)) message.answered?.({ kind: 'rejected', because });
    for (const producer of this.#producers.splice(0)) producer();
    this.#reader?.(null);
    this.#reader = null;
  }
}
