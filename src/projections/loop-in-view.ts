import type { LoopEvent } from '../../machines/events.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';

/** The definition of a machine. Null where it is not among `loops`: then the loop's own events cannot be described. */
export const knownLoop = (machine: string, loops: readonly LoopDefinition[]): LoopDefinition | null =>
  loops.find(({ id }) => id === machine) ?? null;

/**
 * Tracks the loop of the run that is being read. Runs are read one after another, each from its first fact.
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

/** The machine that folds a run from this fact on. Null where the fact does not name one. */
function machineIn({ type, payload }: LoopEvent): string | null {
  if (type === 'run.started') return payload.machine;
  return type === 'run.migrated' ? payload.to : null;
}
