import { setTimeout as delay } from 'node:timers/promises';
import { type CommentPlace, type Sent, sendComment, type Unwritten } from './issue-service.ts';

/** The waits for a service that is busy, of one text. */
const WAITS_MS: readonly number[] = [1_000, 4_000];

/** One comment of an issue, which is written once and kept up to date. */
export class IssueComment {
  readonly #place: CommentPlace;
  #id: string | null;
  #wasLost = false;
  /** The newest text that is not written yet. */
  #next: string | null = null;
  #writing: Promise<void> | null = null;
  #failure: Unwritten | null = null;

  /** `id`: of the comment that was written before. */
  constructor(place: CommentPlace, id: string | null = null) {
    this.#place = place;
    this.#id = id;
  }

  /** Writes the newest text as soon as the one before it is written. `noted` gets the id of a new comment. */
  update(text: string, noted: (id: string) => Promise<void>): void {
    this.#next = text;
    this.#writing ??= this.#writeNewest(noted);
  }

  /** Waits until the newest text is written. Returns why that failed, or null. */
  async written(): Promise<string | null> {
    await this.#writing;
    return this.#failure?.because ?? null;
  }

  async #writeNewest(noted: (id: string) => Promise<void>): Promise<void> {
    // What is told at once is written at once.
    await Promise.resolve();
    let tries = 0;
    while (this.#next !== null) {
      const text = this.#next;
      const before = this.#id;
      this.#next = null;
      await this.write(text);
      if (this.#id !== null && this.#id !== before) await noted(this.#id);
      const waitMs = this.#mayTryAgain ? WAITS_MS[tries] : undefined;
      tries = waitMs === undefined ? 0 : tries + 1;
      if (waitMs === undefined) continue;
      await delay(waitMs);
      this.#next ??= text;
    }
    this.#writing = null;
  }

  /** To change a comment twice does no harm, to write a second one does. */
  get #mayTryAgain(): boolean {
    return this.#failure?.kind === 'busy' || (this.#failure?.kind === 'unclear' && this.#id !== null);
  }

  /** Writes the text. Returns why that failed, or null. A comment that was deleted is written anew, once. */
  async write(text: string): Promise<string | null> {
    // A second comment would be worse than an old one.
    if (this.#id === null && this.#failure?.kind === 'unclear') return this.#failure.because;
    let sent = await this.#send(text);
    if (sent.kind === 'gone' && this.#id !== null && !this.#wasLost) {
      this.#wasLost = true;
      this.#id = null;
      sent = await this.#send(text);
    }
    this.#failure = sent.kind === 'written' ? null : sent;
    return this.#failure?.because ?? null;
  }

  async #send(text: string): Promise<Sent> {
    const sent = await sendComment(this.#place, this.#id, text);
    if (sent.kind === 'written') this.#id = sent.id;
    return sent;
  }
}
