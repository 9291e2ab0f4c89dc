import type { OutputFormat } from '../../config/config.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import { assertIntactNow, assertRecorded } from '../../app/records/success-record.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Log } from '../../log/log.ts';
import type { Live, Watch } from '../../runtime/own-tree.ts';
import { asJson } from '../pages/as-json.ts';
import type { Streams } from '../terminal/output.ts';
import { LiveReading } from './live-reading.ts';
import { LiveView } from './live-view.ts';
import { Narrator } from './narrator.ts';
import type { Shown } from '../args/show-parts.ts';
import { pageOfRun } from './open-page.ts';
import { Progress } from './progress-line.ts';
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
class HeldSuccess {
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

/** What is shown of a run while it works: its narration, the status line, and its events for a program. */
export class RunView {
  readonly #streams: Streams;
  readonly #format: OutputFormat;
  readonly #reading: LiveReading;
  readonly #narrator: Narrator;
  readonly #progress: Progress;
  readonly #view: LiveView;
  readonly #held = new HeldSuccess((event) => this.#show(event));
  readonly #shown: Shown;

  constructor(streams: Streams, format: OutputFormat, loops: readonly LoopDefinition[], shown: Shown) {
    this.#streams = streams;
    this.#format = format;
    this.#reading = new LiveReading(loops);
    this.#shown = shown;
    this.#narrator = new Narrator(streams.err, loops, { isVerbose: shown.verbose });
    this.#progress = new Progress(loops);
    this.#view = new LiveView({ to: streams.err, progress: this.#progress });
  }

  /** The id of the root run, after its first fact. */
  get root(): string | null {
    return this.#narrator.root;
  }

  /** Learns from facts of the past, without printing. */
  async recall(past: AsyncIterable<Fact>): Promise<void> {
    for await (const fact of past) {
      this.#narrator.recall(fact);
      this.#progress.recall(fact);
    }
  }

  /** Shows what a run records and streams from now on. */
  follow(facts: Parameters<Watch>[0], deltas: Parameters<Watch>[1]): void {
    facts.subscribe((envelope) => {
      this.#held.take({ envelope, fact: this.#reading.read(envelope) }, this.root);
    });
    deltas.subscribe(({ kind, text, run }) => {
      if (this.#shown.deltas && this.#format === 'stream-json') {
        this.#streams.out.line(asJson({ type: 'delta', run, kind, text }));
      }
      if (kind === 'text') this.#progress.heard(text);
      if (kind === 'output') this.#progress.printed(text);
      this.#view.changed();
    });
  }

  /** Says where the run is shown, if a page on its log is open. */
  async tellPage({ store }: Pick<Log, 'store'>, run: string): Promise<void> {
    const page = this.#shown.quiet ? null : await pageOfRun(store, run);
    const { err } = this.#streams;
    if (page !== null) err.line(err.colours.dim(`page ${page}`));
  }

  start(): void {
    if (!this.#shown.quiet) this.#view.start();
  }

  stop(): void {
    this.#view.stop();
  }

  /** Shows a success of the run that has left this process, once its log was verified. Throws a `LogError`. */
  async left(log: Log, run: string, end: Awaited<Live['done']>): Promise<void> {
    if (end.kind === 'ended' && end.outcome.ending === 'success') await assertRecorded(log, run);
    else if (this.#held.isHolding) await assertIntactNow(log, run);
    this.#held.release();
  }

  #show({ envelope, fact }: HeldEvent): void {
    if (fact) {
      if (this.#shown.quiet) this.#narrator.pass(fact);
      else this.#narrator.tell(fact);
      this.#progress.observe(fact);
    }
    if (this.#format === 'stream-json') this.#streams.out.line(asJson(envelope));
    this.#view.changed();
  }
}
