import type { Output } from '../terminal/output.ts';
import { machineClock, RunClock } from '../../runtime/run-clock.ts';
import type { Progress } from './progress-line.ts';

/** Delay before the status is redrawn after news, and the interval of its clock. */
const REDRAW_MS = 100;
const TICK_MS = 1_000;
/** Without a terminal: the longest silence. */
const HEARTBEAT_MS = 30_000;

export interface LiveViewParts {
  readonly to: Output;
  readonly progress: Progress;
  readonly heartbeatMs?: number;
}

/** Shows that a run is alive: a status line on a terminal, elsewhere a line after a long silence. */
export class LiveView {
  readonly #to: Output;
  readonly #progress: Progress;
  /** Times of facts of this process are by such a clock, too. */
  readonly #clock = new RunClock(machineClock);
  readonly #heartbeatMs: number;
  #tick: NodeJS.Timeout | null = null;
  #soon: NodeJS.Timeout | null = null;
  #linesSeen = 0;
  #quietSince = 0;

  constructor({ to, progress, heartbeatMs = HEARTBEAT_MS }: LiveViewParts) {
    this.#to = to;
    this.#progress = progress;
    this.#heartbeatMs = heartbeatMs;
  }

  start(): void {
    if (this.#tick) return;
    this.#quietSince = this.#clock.now();
    const beat = this.#to.canRedraw ? () => this.#draw() : () => this.#speakUp();
    // The timer does not keep the process alive.
    this.#tick = setInterval(beat, TICK_MS).unref();
  }

  /** Redraws soon; many calls become one redraw. */
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
    const status = this.#progress.status(this.#clock.now());
    this.#to.status(status === '' ? '' : this.#to.colours.dim(status));
  }

  #speakUp(): void {
    const now = this.#clock.now();
    if (this.#to.lines !== this.#linesSeen) this.#quietSince = now;
    this.#linesSeen = this.#to.lines;
    if (now - this.#quietSince < this.#heartbeatMs) return;
    this.#to.line(this.#progress.waiting(now));
  }
}
