import type { LoopEvent, Recorded } from '../../machines/events.ts';
import { fold, type RunState } from '../kernel/fold.ts';
import { taken } from '../kernel/step.ts';
import type { ChartMarks } from './overlay.ts';
import { beginningOf, nodesOf, pathOf, type StateNode, transitionId } from './transitions.ts';

type Taken = ReturnType<typeof taken>[number];

/**
 * Counts which states a run entered and which transitions it took, from its events one by one.
 *
 * @example
 * const trace = new RunTrace(opened.state);
 * for (const event of events) trace.observe(event);
 * const drawn = await svg(trace.state.entry.machine, { marks: trace.marks });
 */
export class RunTrace {
  #state: RunState;
  #visits: Map<string, number>;
  #taken = new Map<string, number>();

  /** `state`: of a run that has just been opened. */
  constructor(state: RunState) {
    this.#state = state;
    this.#visits = counted(beginningOf(state.entry.machine.root).map(pathOf));
  }

  get state(): RunState {
    return this.#state;
  }

  get marks(): Required<ChartMarks> {
    return {
      active: activeIn(this.#state),
      visits: Object.fromEntries(this.#visits),
      taken: Object.fromEntries(this.#taken),
    };
  }

  observe(event: Recorded<LoopEvent>): void {
    const { entry, snapshot } = this.#state;
    this.#state = fold(this.#state, event);
    if (this.#state.entry !== entry) return this.#beginAnew();
    for (const transition of taken(entry.machine, snapshot, event)) {
      count(this.#taken, transitionId(transition));
      for (const state of enteredBy(transition)) count(this.#visits, pathOf(state));
    }
  }

  /** The run goes on under another chart: what it did on the old one cannot be shown there. */
  #beginAnew(): void {
    this.#visits = counted(activeIn(this.#state));
    this.#taken = new Map();
  }
}

/**
 * The states that a transition enters, as XState does: those between what it leaves and its target, then where that
 * starts.
 */
function enteredBy({ source, target = [], reenter }: Taken): StateNode[] {
  return target.flatMap((to: StateNode) => {
    const within = ancestorsOf(to);
    const stays = !reenter && (to === source || within.includes(source));
    const shared = ancestorsOf(source).filter((outer) => within.includes(outer));
    const domain = stays ? source : shared.at(-1);
    const between = within.slice(within.findIndex((outer) => outer === domain) + 1);
    return [...between, ...(to === domain ? beginningOf(to).slice(1) : beginningOf(to))];
  });
}

/** From the machine as a whole down, the state itself left out. */
function ancestorsOf({ parent }: StateNode): StateNode[] {
  return parent ? [...ancestorsOf(parent), parent] : [];
}

function activeIn({ entry, snapshot }: RunState): string[] {
  const active = new Set<StateNode>(snapshot._nodes);
  return nodesOf(entry.machine.root)
    .filter((node) => node.parent && active.has(node))
    .map(pathOf);
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) count(counts, name);
  return counts;
}

function count(counts: Map<string, number>, name: string): void {
  if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
}
