import type {
  AnyMachineSnapshot,
  AnyStateMachine,
  AnyStateNode,
  AnyTransitionDefinition,
  MachineContext,
} from 'xstate';
import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import type { Stepped } from '../interpret.ts';
import { type Candidate, type CompiledState, compileState, planOf } from './plan.ts';
import type { Implementations } from './implementations.ts';
import { type Place, placeOf, snapshotAfter } from './snapshot.ts';
import { Uncompilable } from './uncompilable.ts';
import { nodesOf, unknownPartOf } from './unknown-part.ts';
import { Work } from './work.ts';

type Event = Recorded<LoopEvent>;

/**
 * A machine with all that XState works out for every event worked out once: where it can rest, which transitions an
 * event may take there, and what each of them does. Answers null where XState has to be asked: for a run that has
 * ended, for XState's own events, and for a step that throws or needs what only XState provides. Asked again, XState
 * throws the same.
 */
export class CompiledMachine {
  readonly #states: ReadonlyMap<AnyStateNode, CompiledState>;
  readonly #places: ReadonlyMap<AnyStateNode, Place>;
  /** Those of snapshots, by their list of states. */
  readonly #placeOf = new WeakMap<readonly AnyStateNode[], Place>();
  readonly #maxTransitions: number;
  /** The newest question, for the step that mostly follows it. */
  #asked: { snapshot: AnyMachineSnapshot; event: Event; candidate: Candidate | null } | null = null;

  /** Throws `Uncompilable` with the reason. */
  constructor(machine: AnyStateMachine, implementations: Implementations) {
    const unknown = unknownPartOf(machine);
    if (unknown !== null) throw new Uncompilable(unknown);
    const nodes = nodesOf(machine.root);
    const states = new Map(nodes.map((node) => [node, compileState(node, implementations)]));
    const leaves = nodes.filter(({ type }) => type !== 'compound');
    this.#states = states;
    this.#places = new Map(leaves.map((leaf) => [leaf, placeOf(leaf, states)]));
    this.#maxTransitions = machine.options.maxIterations ?? Infinity;
  }

  get places(): readonly Place[] {
    return [...this.#places.values()];
  }

  /** Whether an active snapshot takes an event. */
  takes(snapshot: AnyMachineSnapshot, event: Event): boolean | null {
    const place = this.#placeIn(snapshot);
    if (!place || isOfXState(event)) return null;
    try {
      const candidate = select(place.candidates.get(event.type), snapshot.context, event);
      this.#asked = { snapshot, event, candidate };
      return candidate !== null && !candidate.isForbidden;
    } catch {
      return null;
    }
  }

  /** What an event does to a snapshot. The transitions that it takes are added to those given. */
  step(snapshot: AnyMachineSnapshot, event: Event, taken: AnyTransitionDefinition[] | null = null): Stepped | null {
    const place = this.#placeIn(snapshot);
    if (!place || snapshot.status !== 'active' || isOfXState(event)) return null;
    const work = new Work(snapshot, event);
    try {
      const last = this.#run(place, this.#selected(place, snapshot, event), work, taken);
      if (!last || work.isLeft) return null;
      if (last.isEnding) work.stopAll();
      const { effects, changes } = work;
      return {
        snapshot: changes === 0 ? snapshot : snapshotAfter(snapshot, last === place ? null : last, work),
        effects,
      };
    } catch {
      return null;
    }
  }

  #selected(place: Place, snapshot: AnyMachineSnapshot, event: Event): Candidate | null {
    const asked = this.#asked;
    this.#asked = null;
    if (asked?.snapshot === snapshot && asked.event === event) return asked.candidate;
    return select(place.candidates.get(event.type), snapshot.context, event);
  }

  /** Takes transitions until the machine rests or has ended; null if it never does. */
  #run(start: Place, first: Candidate | null, work: Work, taken: AnyTransitionDefinition[] | null): Place | null {
    let place = start;
    let candidate = first;
    for (let count = 0; ; count += 1) {
      const changes = count === 0 ? -1 : work.changes;
      if (candidate) {
        taken?.push(candidate.definition);
        place = this.#take(place, candidate, work);
      }
      if (place.isEnding) return place;
      if (count >= this.#maxTransitions) return null;
      // XState looks no further after a transition without an event that has changed nothing.
      candidate = work.changes === changes ? null : select(place.always, work.context, work.event);
      if (!candidate) return place;
    }
  }

  #take(place: Place, candidate: Candidate, work: Work): Place {
    let plan = place.plans.get(candidate);
    if (!plan) {
      plan = planOf(place.leaf, candidate, this.#states);
      place.plans.set(candidate, plan);
    }
    for (const operation of plan.operations) operation(work);
    if (plan.leaf === place.leaf) return place;
    work.changes += 1;
    return this.#places.get(plan.leaf) ?? place;
  }

  #placeIn({ _nodes: nodes }: AnyMachineSnapshot): Place | undefined {
    const known = this.#placeOf.get(nodes);
    if (known) return known;
    const leaf = nodes.find(({ type }) => type === 'atomic' || type === 'final');
    const place = leaf && this.#places.get(leaf);
    if (place) this.#placeOf.set(nodes, place);
    return place;
  }
}

/** The first transition whose guard passes. */
function select(candidates: readonly Candidate[] | undefined, context: MachineContext, event: Event): Candidate | null {
  if (candidates === undefined) return null;
  for (const candidate of candidates) if (candidate.guard === null || candidate.guard(context, event)) return candidate;
  return null;
}

/** XState stops, starts and fails machines by events of its own, and knows no event of the name `*`. */
const isOfXState = ({ type }: { readonly type: string }): boolean => type.startsWith('xstate.') || type === '*';
