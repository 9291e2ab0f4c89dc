import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { LoopMemory } from '../kernel/loop-memory.ts';
import { knownLoop } from './loop-in-view.ts';

/** The task of a run as it is after each of its facts: its prompt, unless events of its loop have changed that. */
export class TaskInForce {
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
