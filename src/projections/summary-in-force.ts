import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { ReadEvent } from '../log/read-event.ts';
import { LimitsInForce } from './fold-run.ts';
import { numberedRounds } from './round-table.ts';
import { type RunSummary, runSummary } from './run-summary.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopMemory } from '../kernel/loop-memory.ts';
import { knownLoop } from './loop-in-view.ts';

/** The task of a run as it is after each of its facts: its prompt, unless events of its loop have changed that. */
class TaskInForce {
  readonly #loops: readonly LoopDefinition[];
  /** Null where the loop's events change no task. */
  #memory: LoopMemory | null = null;
  #task: string | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#loops = loops;
  }

  /** Takes each fact of the run once, in order. Null before the first. */
  observe(fact: Fact): string | null {
    if (fact.type === 'run.started') {
      const { machine, settings } = fact.payload;
      const memory = knownLoop(machine, this.#loops)?.remember?.(fact.run, settings);
      this.#memory = memory?.task === undefined ? null : memory;
      this.#task = settings.prompt;
    }
    this.#memory?.observe(fact);
    this.#task = this.#memory?.task ?? this.#task;
    return this.#task;
  }

  /** Nothing is folded past an event that cannot be read: the task stays as it is known. */
  unreadable(): void {
    this.#memory = null;
  }
}

/** The page of a run while its events are read, with the limits and the task that events of its loop have changed. */
export class SummaryInForce {
  readonly #loops: readonly LoopDefinition[];
  readonly #limits: LimitsInForce;
  readonly #task: TaskInForce;
  #summary: RunSummary | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#loops = loops;
    this.#limits = new LimitsInForce(loops);
    this.#task = new TaskInForce(loops);
  }

  /** Takes each event of the run once, in order. */
  observe(read: ReadEvent): void {
    if (read.kind === 'unreadable') {
      this.#limits.unreadable();
      return this.#task.unreadable();
    }
    const summary = runSummary(this.#summary, read.event, this.#loops);
    const limits = this.#limits.observe(read.event);
    const task = this.#task.observe(read.event);
    this.#summary = summary && {
      ...summary,
      ...(limits ? { limits } : {}),
      ...(task === null ? {} : { task }),
      ...this.#numbered(summary),
    };
  }

  #numbered({ iterations }: RunSummary): Partial<RunSummary> {
    const { numbers } = this.#limits;
    if (!numbers) return {};
    return { iterations: numberedRounds(iterations, numbers.iteration), shownMaximum: numbers.maximum };
  }

  /** Null before the first event that can be read. */
  get summary(): RunSummary | null {
    return this.#summary;
  }
}
