import { type AnyActorRef, type AnyMachineSnapshot, type AnyStateMachine, createActor } from 'xstate';
import { expect } from 'vitest';
import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import { compiledOf } from '../../../src/kernel/compiled/compile.ts';
import { begin, freeze, refusal, step, thaw, tracedStep } from '../../../src/kernel/step.ts';
import { interpret, interpretTraced } from '../../../src/kernel/interpret.ts';

type Event = Recorded<LoopEvent>;
type Opening = Parameters<typeof begin>[1];

/** What a function gives, or what it throws. */
function resultOf<Result>(what: () => Result): Result | { readonly thrown: string } {
  try {
    return what();
  } catch (error) {
    return { thrown: String(error) };
  }
}

/** Everything of a snapshot that anything can ask for. `text` is what is saved, byte for byte. */
function seenIn(snapshot: AnyMachineSnapshot, events: readonly Event[]) {
  const { status, value, tags, children, output, error, _nodes: nodes } = snapshot;
  return {
    text: JSON.stringify(snapshot.machine.getPersistedSnapshot(snapshot)),
    json: JSON.stringify(snapshot),
    status,
    value,
    output,
    error,
    tags: [...tags],
    children: Object.entries(children as Readonly<Record<string, AnyActorRef>>).map(([key, { id, src }]) => [
      key,
      id,
      src,
    ]),
    nodes: nodes.map(({ id }) => id),
    meta: Object.entries(snapshot.getMeta()),
    matches: nodes.map(({ path }) => path.length === 0 || snapshot.matches(path.join('.') as never)),
    tagged: [...tags, 'none'].map((tag) => snapshot.hasTag(tag)),
    can: events.map((event) => resultOf(() => snapshot.can(event))),
  };
}

/** One machine twice: as it is stepped here, and by XState alone. Each comparison throws where they differ. */
export class SideBySide {
  ours: AnyMachineSnapshot;
  theirs: AnyMachineSnapshot;
  compared = 0;
  /** How many of the events taken were left to XState: these compare nothing. */
  left = 0;
  readonly #machine: AnyStateMachine;
  /** Asked at every step, as a log may have any of them next. */
  readonly #events: readonly Event[];

  constructor(machine: AnyStateMachine, started: Opening, events: readonly Event[]) {
    this.#machine = machine;
    this.#events = events;
    this.ours = begin(machine, started).snapshot;
    this.theirs = createActor(machine, { input: { started } as never }).getSnapshot();
    this.#compare();
  }

  /** Takes an event on both sides, if XState does not throw. */
  take(event: Event): void {
    if (!compiledOf(this.#machine)?.step(this.ours, event)) this.left += 1;
    const ours = resultOf(() => step(this.#machine, this.ours, event));
    const theirs = resultOf(() => interpret(this.#machine, this.theirs, event));
    if ('thrown' in ours || 'thrown' in theirs) {
      expect(ours).toEqual(theirs);
      return;
    }
    expect(ours.effects).toEqual(theirs.effects);
    expect(ours.snapshot === this.ours).toBe(theirs.snapshot === this.theirs);
    this.ours = ours.snapshot;
    this.theirs = theirs.snapshot;
    this.#compare();
  }

  /** Saves both, and goes on from what was saved: each from what the other has saved. */
  thaw(): void {
    const [ours, theirs] = [this.ours, this.theirs].map((one) => freeze(this.#machine, one));
    expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
    this.ours = thaw(this.#machine, theirs ?? null);
    this.theirs = createActor(this.#machine, { snapshot: ours as never }).getSnapshot();
    this.#compare();
  }

  /** Asks about every event, and tries what it would do: on both sides from the same snapshot, which stays. */
  tryAll(): void {
    for (const event of this.#events) {
      const asked = resultOf(() => refusal(this.ours, event));
      const can = resultOf(() => (this.theirs.can(event) ? null : 'unexpected'));
      if (this.theirs.status === 'active') expect([event.type, asked]).toEqual([event.type, can]);
      else expect(asked).toBe('ended');
      const ours = resultOf(() => tracedStep(this.#machine, this.ours, event));
      const theirs = resultOf(() => interpretTraced(this.#machine, this.theirs, event));
      const [left, right] = [ours, theirs].map((one) =>
        'thrown' in one ? one : { ...one, snapshot: JSON.stringify(this.#machine.getPersistedSnapshot(one.snapshot)) },
      );
      expect([event.type, left]).toEqual([event.type, right]);
      this.compared += 1;
    }
  }

  #compare(): void {
    this.compared += 1;
    expect(seenIn(this.ours, this.#events)).toEqual(seenIn(this.theirs, this.#events));
  }
}
