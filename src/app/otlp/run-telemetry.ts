import type { RecordedRuns } from '../records/recorded-runs.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { Reading } from '../../log/reading.ts';
import { EffectSpans } from './effect-spans.ts';
import type { OtlpSpan } from './otlp-json.ts';
import { spanOfWork } from './span-of-work.ts';

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

/** How many levels of runs below a run are told. */
const MAX_DEPTH = 8;

/** Follows a run and those below it, and returns their spans, each once, when it has ended. */
export class RunTelemetry {
  readonly #host: Host;
  readonly #record: RunRecord;
  readonly #withContent: boolean;
  readonly #depth: number;
  readonly #spans: EffectSpans;
  readonly #reading: Reading;
  readonly #below = new Map<string, RunTelemetry>();
  #next = 1;

  constructor(host: Host, record: RunRecord, withContent: boolean, depth = 0) {
    this.#host = host;
    this.#record = record;
    this.#withContent = withContent;
    this.#depth = depth;
    this.#spans = new EffectSpans(host.definitions, record.forkedFrom?.version ?? 0);
    this.#reading = new Reading(host.definitions, { isWhole: true });
  }

  /** Reads what was recorded since the last time. Events that cannot be read are passed over. */
  async advance(): Promise<readonly OtlpSpan[]> {
    const { run } = this.#record;
    for await (const page of this.#host.log.pages(run, { from: this.#next })) {
      for (const envelope of page) {
        const read = this.#reading.read(envelope);
        if (read.kind === 'event') this.#spans.observe(read.event);
        this.#next = envelope.version + 1;
      }
    }
    return [...this.#own(), ...(await this.#advanceBelow())];
  }

  #own(): readonly OtlpSpan[] {
    const { facts } = this.#spans;
    if (!facts) return [];
    const { root, parentEffect, forkedFrom } = this.#record;
    const place = {
      facts,
      root,
      openedBy: parentEffect,
      forkedFrom: forkedFrom?.run ?? null,
      withContent: this.#withContent,
    };
    return this.#spans.take().map((work) => spanOfWork(work, place));
  }

  async #advanceBelow(): Promise<readonly OtlpSpan[]> {
    if (this.#depth >= MAX_DEPTH) return [];
    const spans: OtlpSpan[] = [];
    for (const record of await this.#host.log.openedFrom(this.#record.run)) {
      const known = this.#below.get(record.run);
      const one = known ?? new RunTelemetry(this.#host, record, this.#withContent, this.#depth + 1);
      this.#below.set(record.run, one);
      spans.push(...(await one.advance()));
    }
    return spans;
  }
}
