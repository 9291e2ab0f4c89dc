import { type AnyActor, type AnyActorLogic, type AnyActorRef, createActor } from 'xstate';

/** How XState makes an actor; `syncSnapshot` is part of what it saves of a child. */
interface Making {
  readonly parent: AnyActor;
  readonly input: unknown;
  readonly syncSnapshot: boolean;
}

/**
 * Stands for a child in a snapshot. No child of a folded machine is ever started, and a whole actor costs more than the
 * rest of a transition: XState's actor is made when something asks for more than its name, as saving a snapshot does.
 */
export class UnstartedActor {
  readonly id: string;
  readonly src: string;
  readonly systemId = undefined;
  readonly #logic: AnyActorLogic;
  readonly #making: Making;
  #actor: AnyActor | null = null;

  constructor(id: string, src: string, logic: AnyActorLogic, making: Making) {
    this.id = id;
    this.src = src;
    this.#logic = logic;
    this.#making = making;
  }

  /** As it stands in a snapshot: nothing there sends to a child, or listens to it. */
  asReference(): AnyActorRef {
    return this as unknown as AnyActorRef;
  }

  get _syncSnapshot(): boolean {
    return this.#making.syncSnapshot;
  }

  getSnapshot(): unknown {
    return this.#made().getSnapshot();
  }

  getPersistedSnapshot(): unknown {
    return this.#made().getPersistedSnapshot();
  }

  toJSON(): object {
    return this.#made().toJSON();
  }

  #made(): AnyActor {
    this.#actor ??= createActor(this.#logic, { id: this.id, src: this.src, ...this.#making }) as AnyActor;
    return this.#actor;
  }
}
