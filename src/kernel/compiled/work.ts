import type { AnyActor, AnyActorRef, AnyMachineSnapshot, MachineContext } from 'xstate';
import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import type { Effect, EffectInput } from '../interpret.ts';
import { Uncompilable } from './uncompilable.ts';
import type { UnstartedActor } from './idle-actor.ts';

/** One action on the work under way. */
export type Operation = (work: Work) => void;

type Children = Readonly<Record<string, AnyActorRef | undefined>>;

/** What actions are called with. */
interface Given extends Pick<Work, 'context' | 'event'> {
  readonly self: AnyActor;
  readonly system: AnyActor['system'];
}

/** One event under way: what its actions have changed up to now. The snapshot that it began with stays as it is. */
export class Work {
  readonly event: Recorded<LoopEvent>;
  readonly effects: Effect[] = [];
  context: MachineContext;
  children: Children;
  /** How many snapshots XState would have made by now, also those with the same content. */
  changes = 0;
  /** An action needs what only XState provides: the whole step is left to it. */
  isLeft = false;

  constructor({ context, children }: AnyMachineSnapshot, event: Recorded<LoopEvent>) {
    this.event = event;
    this.context = context;
    this.children = children;
  }

  assign(update: object | null | undefined): void {
    this.changes += 1;
    this.context = { ...this.context, ...update };
  }

  start(child: UnstartedActor, input: unknown): void {
    const { id: key, src: actor } = child;
    this.changes += 1;
    this.children = { ...this.children, [key]: child.asReference() };
    this.effects.push({ kind: 'start', key, actor, input: (input ?? {}) as EffectInput });
  }

  /** A child that is gone already is nothing to stop. */
  stop(child: AnyActorRef | undefined): void {
    this.changes += 1;
    if (!child) return;
    const { [child.id]: _stopped, ...others } = this.children;
    this.children = others;
    this.effects.push({ kind: 'stop', key: child.id });
  }

  /** A machine that has ended keeps its children in its snapshot, and stops them. */
  stopAll(): void {
    for (const child of Object.values(this.children)) if (child) this.effects.push({ kind: 'stop', key: child.id });
  }

  given(self: AnyActor): Given {
    const { context, event } = this;
    return { context, event, self, system: self.system };
  }

  /** Leaves the step to XState. An action that catches the error changes nothing about that. */
  readonly leave = (): never => {
    this.isLeft = true;
    throw new Uncompilable('an action needs what only XState provides');
  };
}
