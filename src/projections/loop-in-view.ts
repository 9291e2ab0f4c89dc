import type { LoopEvent } from '../../machines/events.ts';
import type { Fact } from '../runtime/cast.ts';
import type { LoopDefinition } from '../runtime/loop-definition.ts';

/** The definition of a machine. Null where it is not at hand: then what its loop alone knows cannot be told. */
export const knownLoop = (machine: string, loops: readonly LoopDefinition[]): LoopDefinition | null =>
  loops.find(({ id }) => id === machine) ?? null;

/**
 * The loop whose facts are read, run after run, each from its first fact.
 *
 * @example
 * const inView = new LoopInView(loops);
 * for await (const envelope of log.read(run)) {
 *   const fact = factOf(envelope);
 *   console.log(timelineEntry(fact, inView.observe(fact)).text);
 * }
 */
export class LoopInView {
  readonly #loops: readonly LoopDefinition[];
  #loop: LoopDefinition | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#loops = loops;
  }

  /** The loop that a fact belongs to. */
  observe(fact: Fact): LoopDefinition | null {
    const machine = machineIn(fact);
    if (machine !== null) this.#loop = knownLoop(machine, this.#loops);
    return this.#loop;
  }
}

/** The machine that folds a run from this fact on, where the fact says so. */
function machineIn({ type, payload }: LoopEvent): string | null {
  if (type === 'run.started') return payload.machine;
  return type === 'run.migrated' ? payload.to : null;
}
