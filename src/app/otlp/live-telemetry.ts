import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Observable } from 'rxjs';
import type { RunStep } from '../../runtime/tree-access.ts';
import type { RecordedRuns } from '../records/runs-of-log.ts';
import { type Collector, collectorOf } from './collector.ts';
import { CONTENT_VARIABLE } from './genai-names.ts';
import { RunTelemetry } from './run-telemetry.ts';
import { postSpans, type Sent } from './send-spans.ts';
import { SpanQueue } from './span-queue.ts';

/** Between two requests, unless so many spans have ended that a request is full. */
const EVERY_MS = 2_000;
/** Steps that wait for their spans to be made. */
const MAX_STEPS = 1_024;
/** The most that waits for a collector. */
const ROOM = { spans: 4_096, chars: 16_777_216 };
/** The longest wait for a collector once the run has left. */
const LAST_MS = 5_000;
/** The longest pause after requests that failed; each is twice as long as the one before. */
const MAX_PAUSE_MS = 60_000;

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

/** Sends the spans of runs to the collector that an environment names. Null: it names none. */
export function liveTelemetry(
  host: Host,
  environment: Readonly<Record<string, string | undefined>>,
): LiveTelemetry | null {
  const collector = collectorOf(environment);
  return collector && new LiveTelemetry(host, collector, environment[CONTENT_VARIABLE] === 'true');
}

/**
 * Sends the spans of a run and those below it while they work. It makes them of the states that the run itself has
 * folded; the log is read only for what was recorded before. The run never waits for its collector.
 */
export class LiveTelemetry {
  readonly #host: Host;
  readonly #collector: Collector;
  readonly #telemetry: RunTelemetry;
  readonly #queue = new SpanQueue(ROOM);
  /** The run at the top of the tree. */
  #top: string | null = null;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** Their spans were not made yet. */
  #steps: RunStep[] = [];
  /** There are facts that were not observed. */
  #isBehind = false;
  #refused = 0;
  #failure: string | null = null;
  #pauseMs = 0;
  /** Milliseconds since 1970. Nothing is sent before. */
  #notBefore = 0;
  #turn: Promise<void> | null = null;

  constructor(host: Host, collector: Collector, withContent: boolean) {
    this.#host = host;
    this.#collector = collector;
    this.#telemetry = new RunTelemetry(host, withContent);
  }

  follow(steps: Observable<RunStep>): void {
    steps.subscribe((step) => this.#observe(step));
    this.#timer = setInterval(() => this.#begin(), EVERY_MS).unref();
  }

  /** Sends the rest, within `LAST_MS`. Returns what a person should know of it, or null. */
  async end(): Promise<string | null> {
    clearInterval(this.#timer);
    const until = Date.now() + LAST_MS;
    const late = setTimeout(() => this.#stopped.abort(), LAST_MS);
    await this.#turn;
    this.#take();
    // The runs of other trees are found now.
    await Promise.race([this.#catchUp(), once(this.#stopped.signal, 'abort')]);
    await this.#sendLast(until);
    clearTimeout(late);
    const missing = this.#queue.length + this.#queue.leftOut + this.#refused;
    const why = this.#failure === null ? '' : ` (${this.#failure})`;
    if (missing > 0) return `${missing} spans were not taken by ${new URL(this.#collector.url).host}${why}`;
    return this.#isBehind ? `not all spans of the run were read from its log${why}` : null;
  }

  /** Steps are kept first: to make the spans of many at once costs a fraction of making them one by one. */
  #observe(step: RunStep): void {
    this.#top ??= step.envelope.run;
    this.#steps.push(step);
    if (this.#steps.length < MAX_STEPS) return;
    this.#take();
    if (this.#queue.isFullBatch) this.#begin();
  }

  #take(): void {
    const steps = this.#steps;
    this.#steps = [];
    try {
      for (const step of steps) if (!this.#telemetry.observe(step)) this.#isBehind = true;
      this.#queue.add(this.#telemetry.take());
    } catch (error) {
      // A run is worth more than its trace.
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#isBehind = true;
    this.#failure = error instanceof Error ? error.message : String(error);
  }

  #begin(): void {
    if (this.#turn || Date.now() < this.#notBefore) return;
    this.#turn = this.#look().finally(() => {
      this.#turn = null;
      if (this.#queue.isFullBatch) this.#begin();
    });
  }

  async #look(): Promise<void> {
    this.#take();
    if (this.#isBehind) await this.#catchUp();
    if (this.#queue.length > 0) await this.#send();
  }

  /** Reads from the log what was not observed: the past of a run that was resumed, and runs of other trees. */
  async #catchUp(): Promise<void> {
    this.#isBehind = false;
    try {
      const record = this.#top === null ? null : await this.#host.log.run(this.#top);
      if (record) this.#queue.add(await this.#telemetry.advance(record));
    } catch (error) {
      this.#failed(error);
    }
  }

  async #send(): Promise<Sent['kind']> {
    const batch = this.#queue.batch();
    const sent = await postSpans(this.#collector, batch, this.#stopped.signal);
    this.#failure = sent.failure;
    if (sent.kind === 'taken' || sent.kind === 'refused') {
      this.#queue.remove(batch.length);
      this.#refused += sent.kind === 'taken' ? sent.rejected : batch.length;
      this.#pauseMs = 0;
    } else {
      this.#pauseMs = Math.min(MAX_PAUSE_MS, Math.max(EVERY_MS, this.#pauseMs * 2));
      const askedMs = sent.kind === 'busy' ? sent.afterMs : null;
      this.#notBefore = Date.now() + (askedMs ?? this.#pauseMs);
    }
    return sent.kind;
  }

  async #sendLast(until: number): Promise<void> {
    while (this.#queue.length > 0 && this.#notBefore < until && !this.#stopped.signal.aborted) {
      await delay(Math.max(0, this.#notBefore - Date.now()));
      if ((await this.#send()) === 'gone') return;
    }
  }
}
