import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { onChange } from './live.ts';
import type { ChartLayout, RunSpan, RunStep, RunView } from './view-types.ts';
import { type Embedded, Refused, server } from './page-source.ts';
import { type Spent, spentAt } from './spent-at.ts';

/** How often it is asked whether a run that works is still at work. */
const LOOK_MS = 10_000;

const NOT_FOUND = 404;
const GONE =
  'The log no longer has this run: it was removed, or the server reads another log now. Below is what was read before.';

/** A chart at one version: which states are lit, and which were before. */
export interface Lit {
  readonly active: ReadonlySet<string>;
  readonly visited: ReadonlySet<string>;
}

/** One run on the page, kept up to date while it works. */
export class RunModel {
  readonly run: string;
  readonly view = signal<RunView | null>(null);
  readonly steps = signal<readonly RunStep[]>([]);
  readonly spans = signal<readonly RunSpan[]>([]);
  /** Undefined: it is on its way. Null: the loop is not known to the server. */
  readonly chart = signal<ChartLayout | null | undefined>(undefined);
  readonly wholeChart = signal<ChartLayout | null>(null);
  readonly failure = signal<string | null>(null);
  /** The version that is looked at. Null: the newest. */
  readonly at = signal<number | null>(null);
  readonly step: ReadonlySignal<RunStep | null>;
  readonly spent: ReadonlySignal<Spent>;
  readonly lit: ReadonlySignal<Lit>;
  readonly embedded: Embedded | null;
  #states: readonly (readonly string[])[] = [];
  /** By state: the version at which it was entered first. */
  readonly #entered = new Map<string, number>();
  #stop = () => {};
  #isReading = false;
  #isStale = false;
  /** The log has lost it while it was shown. */
  #isGone = false;
  #showsSpans = false;

  constructor(run: string, embedded: Embedded | null = null) {
    this.run = run;
    this.embedded = embedded;
    this.step = computed(() => {
      const steps = this.steps.value;
      const at = this.at.value ?? steps.length;
      return steps[Math.min(at, steps.length) - 1] ?? null;
    });
    this.spent = computed(() => spentAt(this.step.value, this.steps.value.length, this.view.value));
    this.lit = computed(() => this.#litAt(this.step.value));
    if (embedded) this.#take(embedded);
    else {
      void this.#read();
      const stopListening = onChange((trees) => {
        const { root = run } = this.view.peek() ?? {};
        if (trees.has('*') || trees.has(root)) void this.#read();
      });
      // A process that dies records nothing.
      const timer = setInterval(() => {
        if (this.view.peek()?.standing.kind === 'running' && !this.#isGone) void this.#read();
      }, LOOK_MS);
      this.#stop = () => {
        stopListening();
        clearInterval(timer);
      };
    }
  }

  /** Effects are read from now on: those of a long run are a megabyte. */
  showSpans(): void {
    if (this.#showsSpans || this.embedded) return;
    this.#showsSpans = true;
    void server.spans(this.run).then(
      (spans) => (this.spans.value = spans),
      () => {},
    );
  }

  close(): void {
    this.#stop();
  }

  /** Reads again, as after a command. */
  refresh(): void {
    if (!this.embedded) void this.#read();
  }

  /** Reads what the chart has within its states. */
  async readWhole(): Promise<void> {
    this.wholeChart.value ??= await server.chart(this.run, true).catch(() => null);
  }

  #take({ view, steps, spans, chart, wholeChart }: Embedded): void {
    this.#add(steps.states, steps.steps);
    this.view.value = view;
    this.spans.value = spans;
    this.chart.value = chart;
    this.wholeChart.value = wholeChart;
  }

  async #read(): Promise<void> {
    if (this.#isReading) {
      this.#isStale = true;
      return;
    }
    this.#isReading = true;
    this.#isStale = false;
    const began = performance.now();
    try {
      const [view, { states, steps }, spans] = await Promise.all([
        server.view(this.run),
        server.steps(this.run, this.steps.peek().length + 1),
        this.#showsSpans ? server.spans(this.run) : this.spans.peek(),
      ]);
      batch(() => {
        this.#add(states, steps);
        this.view.value = view;
        this.spans.value = spans;
        this.failure.value = null;
      });
      // It cannot be drawn where its loop is not known.
      this.chart.value ??= await server.chart(this.run, false).catch(() => null);
    } catch (error) {
      this.#isGone = error instanceof Refused && error.status === NOT_FOUND && this.view.peek() !== null;
      const message = error instanceof Error ? error.message : String(error);
      this.failure.value = this.#isGone ? GONE : message;
    }
    // A long run takes the server a while: it has twice that time to itself.
    await after((performance.now() - began) * 2);
    this.#isReading = false;
    if (this.#isStale) void this.#read();
  }

  #add(states: readonly (readonly string[])[], steps: readonly RunStep[]): void {
    this.#states = states;
    for (const { version, state } of steps)
      for (const path of states[state ?? -1] ?? []) if (!this.#entered.has(path)) this.#entered.set(path, version);
    if (steps.length > 0) this.steps.value = [...this.steps.peek(), ...steps];
  }

  #litAt(step: RunStep | null): Lit {
    if (!step) return { active: new Set(), visited: new Set() };
    const visited = [...this.#entered].filter(([, version]) => version <= step.version).map(([path]) => path);
    return { active: new Set(this.#states[step.state ?? -1] ?? []), visited: new Set(visited) };
  }
}

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
