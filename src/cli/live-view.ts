import type { Output } from './output.ts';
import type { Progress } from './progress.ts';

/** How soon a status is drawn again after something new, and how often its clock is. */
const REDRAW_MS = 100;
const TICK_MS = 1_000;
/** Where nothing can be redrawn: how long nothing may be said. */
const HEARTBEAT_MS = 30_000;

export interface LiveViewParts {
  readonly to: Output;
  readonly progress: Progress;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly heartbeatMs?: number;
}

/** Shows that a run is alive: on a terminal a status line, elsewhere a line whenever nothing else was said for long. */
export class LiveView {
  readonly #to: Output;
  readonly #progress: Progress;
  readonly #now: () => number;
  readonly #heartbeatMs: number;
  #tick: NodeJS.Timeout | null = null;
  #soon: NodeJS.Timeout | null = null;
  #linesSeen = 0;
  #quietSince = 0;

  constructor({ to, progress, now = Date.now, heartbeatMs = HEARTBEAT_MS }: LiveViewParts) {
    this.#to = to;
    this.#progress = progress;
    this.#now = now;
    this.#heartbeatMs = heartbeatMs;
  }

  start(): void {
    if (this.#tick) return;
    this.#quietSince = this.#now();
    const beat = this.#to.canRedraw ? () => this.#draw() : () => this.#speakUp();
    // A program that has nothing else to wait for is not kept alive to say so.
    this.#tick = setInterval(beat, TICK_MS).unref();
  }

  /** Something is new: it is shown soon, however much comes at once. */
  changed(): void {
    if (!this.#tick || this.#soon || !this.#to.canRedraw) return;
    this.#soon = setTimeout(() => this.#draw(), REDRAW_MS).unref();
  }

  stop(): void {
    if (this.#tick) clearInterval(this.#tick);
    if (this.#soon) clearTimeout(this.#soon);
    this.#tick = null;
    this.#soon = null;
    this.#to.status('');
  }

  #draw(): void {
    if (this.#soon) clearTimeout(this.#soon);
    this.#soon = null;
    const status = this.#progress.status(this.#now());
    this.#to.status(status === '' ? '' : this.#to.colours.dim(status));
  }

  #speakUp(): void {
    const now = this.#now();
    if (this.#to.lines !== this.#linesSeen) this.#quietSince = now;
    this.#linesSeen = this.#to.lines;
    if (now - this.#quietSince < this.#heartbeatMs) return;
    this.#to.line(this.#progress.waiting(now));
  }
}
