import type { RecordedRuns } from '../records/runs-of-log.ts';
import { Reading } from '../../log/reading.ts';
import { LoopInView } from '../../projections/loop-in-view.ts';
import { unreadableEntry } from '../../projections/timeline.ts';
import { type RunSpan, SpansOfRun } from './run-spans.ts';
import { type RunSteps, StepsOfRun } from './run-steps.ts';

type Host = Pick<RecordedRuns, 'log' | 'definitions'>;

/** How many levels of runs below a run are looked into. */
const MAX_DEPTH = 3;
/** How many effects of runs below it are shown. */
const MAX_SPANS = 5_000;

/** Follows one run from its start: every version of it, and its effects on one clock. */
export class RunTracer {
  readonly run: string;
  readonly #host: Host;
  readonly #depth: number;
  readonly #reading: Reading;
  readonly #inView: LoopInView;
  readonly #steps = new StepsOfRun();
  readonly #spans: SpansOfRun;
  readonly #below = new Map<string, RunTracer>();
  #next = 1;
  #advancing: Promise<void> = Promise.resolve();

  constructor(host: Host, run: string, depth = 0) {
    this.run = run;
    this.#host = host;
    this.#depth = depth;
    this.#reading = new Reading(host.definitions, { isWhole: true });
    this.#inView = new LoopInView(host.definitions);
    this.#spans = new SpansOfRun(host.definitions, depth);
  }

  /** Reads what was recorded since the last time. Calls at once wait for each other. */
  advance(): Promise<void> {
    const advanced = this.#advancing.catch(() => {}).then(() => this.#read());
    this.#advancing = advanced;
    return advanced;
  }

  /** The steps from a version on. */
  steps(from = 1): RunSteps {
    const { states, steps } = this.#steps.collected;
    return { states, steps: from <= 1 ? steps : steps.slice(from - 1) };
  }

  /** Effects in the order they were asked for, those of a child after the effect that opened it. */
  async spans(): Promise<readonly RunSpan[]> {
    const own = this.#spans.collected;
    if (this.#depth >= MAX_DEPTH || !own.some(({ kind }) => kind === 'child')) return own;
    const opened = new Map((await this.#host.log.openedFrom(this.run)).map((one) => [one.parentEffect, one.run]));
    const spans: RunSpan[] = [];
    for (const span of own) {
      const child = span.kind === 'child' ? (opened.get(`${span.run}/${span.effect}`) ?? null) : null;
      spans.push({ ...span, child });
      if (child !== null && spans.length < MAX_SPANS) spans.push(...(await this.#spansOf(child)));
    }
    return spans.slice(0, MAX_SPANS);
  }

  async #spansOf(child: string): Promise<readonly RunSpan[]> {
    const tracer = this.#below.get(child) ?? new RunTracer(this.#host, child, this.#depth + 1);
    this.#below.set(child, tracer);
    await tracer.advance();
    return tracer.spans();
  }

  async #read(): Promise<void> {
    for await (const page of this.#host.log.pages(this.run, { from: this.#next })) {
      for (const envelope of page) {
        const read = this.#reading.read(envelope);
        if (read.kind === 'event') {
          const loop = this.#inView.observe(read.event);
          this.#steps.observe(read.event, loop, this.#spans.observe(read.event)?.state ?? null);
        } else this.#steps.unread(unreadableEntry(read, envelope.payload));
        this.#next = envelope.version + 1;
      }
    }
  }
}
