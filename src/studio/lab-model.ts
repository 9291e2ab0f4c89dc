import { batch, signal } from '@preact/signals';
import { changeOf, type JudgeFields, judgeName, NO_FIELDS } from './judge-fields.ts';
import { Refused, server } from './page-source.ts';
import { readLines } from './read-lines.ts';
import type { LabLine, ListedView } from './view-types.ts';

type Judged = Extract<LabLine, { kind: 'judged' | 'left_out' }>;
export type Tally = Extract<LabLine, { kind: 'tally' }>;

/** A run with what each judge makes of it, by the judge's number. */
export interface LabRow {
  readonly run: string;
  readonly lines: readonly (Judged | undefined)[];
}

/** Judges that are asked about recorded runs, and what they have said so far. */
export class LabModel {
  readonly judges = signal<readonly JudgeFields[]>([NO_FIELDS]);
  readonly limit = signal(100);
  /** The names of the judges that were asked last. */
  readonly asked = signal<readonly string[]>([]);
  readonly rows = signal<readonly LabRow[]>([]);
  readonly tallies = signal<readonly Tally[]>([]);
  readonly failure = signal<string | null>(null);
  readonly isAsking = signal(false);
  readonly tasks = signal<ReadonlyMap<string, ListedView>>(new Map());
  #asking: AbortController | null = null;

  /** Asks about one run, or about the newest. What was asked before is not waited for. */
  async ask(run: string | null): Promise<void> {
    this.stop();
    const asking = new AbortController();
    this.#asking = asking;
    const judges = this.judges.peek();
    batch(() => {
      this.asked.value = judges.map(judgeName);
      this.rows.value = [];
      this.tallies.value = [];
      this.failure.value = null;
      this.isAsking.value = true;
    });
    const body = { judges: judges.map(changeOf), ...(run === null ? { limit: this.limit.peek() } : { runs: [run] }) };
    performance.mark('lab asked');
    try {
      const tell = (lines: readonly LabLine[]) => this.#take(lines, judges.length);
      await readLines<LabLine>('/api/lab', body, { signal: asking.signal, tell });
      performance.mark('lab told');
      await this.#readTasks();
    } catch (error) {
      if (!asking.signal.aborted) this.failure.value = error instanceof Refused ? error.message : String(error);
    }
    if (this.#asking === asking) this.isAsking.value = false;
  }

  stop(): void {
    this.#asking?.abort();
  }

  #take(lines: readonly LabLine[], judges: number): void {
    if (this.rows.peek().length === 0) performance.mark('lab first');
    const rows = [...this.rows.peek()];
    for (const line of lines) {
      if (line.kind === 'tally') this.tallies.value = [...this.tallies.peek(), line];
      else {
        // Lines of one run come one after the other.
        const before = rows.at(-1)?.run === line.run ? rows.pop() : undefined;
        const told = before?.lines ?? Array.from({ length: judges }, () => undefined);
        rows.push({ run: line.run, lines: told.with(line.judge, line) });
      }
    }
    this.rows.value = rows;
  }

  async #readTasks(): Promise<void> {
    if (this.rows.peek().every(({ run }) => this.tasks.peek().has(run))) return;
    const { runs } = await server.runs(this.limit.peek());
    this.tasks.value = new Map(runs.map((one) => [one.run, one]));
  }
}
