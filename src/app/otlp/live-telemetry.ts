import type { RecordedRuns } from '../records/recorded-runs.ts';
import type { OtlpSpan } from './otlp-json.ts';
import { RunTelemetry } from './run-telemetry.ts';
import { type Collector, collectorOf, sendSpans } from './send-spans.ts';
import { CONTENT_VARIABLE } from './genai-names.ts';

/** Between two looks at what has ended. */
const EVERY_MS = 2_000;
/** Spans that wait for a collector. Further ones are left to a later export. */
const MAX_WAITING = 4_096;
/** The longest wait for a collector once the run has left. */
const LAST_MS = 5_000;

/** Follows a run for the collector that an environment names. Null: it names none, or the log does not have the run. */
export async function followed(
  host: Pick<RecordedRuns, 'log' | 'definitions'>,
  run: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<LiveTelemetry | null> {
  const collector = collectorOf(environment);
  const record = collector && (await host.log.run(run));
  if (!collector || !record) return null;
  const withContent = environment[CONTENT_VARIABLE] === 'true';
  return new LiveTelemetry(new RunTelemetry(host, record, withContent), collector).start();
}

/** Sends the spans of a run while it works. The run never waits for its collector. */
export class LiveTelemetry {
  readonly #collector: Collector;
  readonly #telemetry: RunTelemetry;
  #waiting: OtlpSpan[] = [];
  #leftOut = 0;
  #failure: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;
  #turn: Promise<void> = Promise.resolve();

  constructor(telemetry: RunTelemetry, collector: Collector) {
    this.#telemetry = telemetry;
    this.#collector = collector;
  }

  start(): this {
    this.#later();
    return this;
  }

  /** Sends the rest. Returns what a person should know of it, or null. */
  async end(): Promise<string | null> {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    const late = new Promise<void>((resolve) => {
      setTimeout(resolve, LAST_MS).unref();
    });
    await Promise.race([this.#turn.then(() => this.#look()), late]);
    const unsent = this.#waiting.length + this.#leftOut;
    if (unsent === 0) return null;
    const why = this.#failure === null ? '' : ` (${this.#failure})`;
    return `${unsent} spans were not sent to ${new URL(this.#collector.url).host}${why}`;
  }

  #later(): void {
    if (this.#isEnded) return;
    this.#timer = setTimeout(() => {
      this.#turn = this.#look().finally(() => this.#later());
    }, EVERY_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    try {
      const ended = await this.#telemetry.advance();
      const room = Math.max(0, MAX_WAITING - this.#waiting.length);
      this.#waiting.push(...ended.slice(0, room));
      this.#leftOut += Math.max(0, ended.length - room);
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
      return;
    }
    const { sent, failure } = await sendSpans(this.#collector, this.#waiting);
    this.#waiting = this.#waiting.slice(sent);
    this.#failure = failure;
  }
}
