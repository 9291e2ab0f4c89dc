import { lifeOf, type RunState, hasEnded } from '../kernel/fold.ts';
import { type LoopDefinition, specOf } from '../kernel/loop-definition.ts';
import { BehaviorSubject, distinctUntilChanged, type Observable } from 'rxjs';
import type { Life } from '../../machines/life.ts';
import type { LoopRun } from './loop-run.ts';

/** A run of a tree, and the effect (`RUN/version/n`) that opened it. */
export interface Member {
  readonly id: string;
  readonly state: RunState;
  readonly loop: LoopDefinition;
  readonly parentEffect: string | null;
}

/** Whether nothing is left to do in a tree of runs until a person has answered. */
export function isWaiting(members: readonly Member[]): boolean {
  const performed = new Set(members.map(({ parentEffect: performs }) => performs));
  return (
    members.some(({ state }) => Object.values(lifeOf(state).pending).includes('asked')) &&
    members.every((member) => isPatient(member, performed))
  );
}

/** Whether a run waits only for people, itself or through the runs that it has delegated work to. */
export function waitsForPerson({ state }: Pick<Member, 'state'>): boolean {
  const owing = Object.values(lifeOf(state).pending);
  return owing.length > 0 && owing.every((how) => how === 'asked' || how === 'waiting');
}

/** A run waits for a person where its children do, as long as each of them is in this process. */
function isPatient({ id, state, loop }: Member, performed: ReadonlySet<string | null>): boolean {
  const owing = Object.entries(lifeOf(state).pending);
  const isChild = (key: string) =>
    state.outstanding.some(
      (one) => one.key === key && specOf(one, loop).class === 'child' && performed.has(`${id}/${one.effect}`),
    );
  return owing.length > 0 && owing.every(([key, how]) => how === 'asked' || (how !== 'told' && isChild(key)));
}

/** Follows whether a tree of runs waits for a person, and tells each parent whether its children do. */
export class TreeWaiting {
  readonly #runs: ReadonlyMap<string, LoopRun>;
  readonly #waiting = new BehaviorSubject(false);
  /** Children whose parents are being told whether they wait. */
  readonly #informing = new Set<string>();

  constructor(runs: ReadonlyMap<string, LoopRun>) {
    this.#runs = runs;
  }

  /** Whether nothing is left to do until a person has answered. */
  get isWaiting(): boolean {
    return this.#waiting.value;
  }

  /** `isWaiting` now and as it changes. */
  get changes(): Observable<boolean> {
    return this.#waiting.pipe(distinctUntilChanged());
  }

  /** Call it after every fact, and whenever a run has entered the tree. */
  update(): void {
    const runs = [...this.#runs.values()];
    this.#waiting.next(isWaiting(runs));
    for (const run of runs) {
      const parent = run.parent === null ? undefined : this.#runs.get(run.parent);
      if (parent && !this.#informing.has(run.id)) void this.#inform(parent, run);
    }
  }

  complete(): void {
    this.#waiting.complete();
  }

  /** A parent's clock stops while it waits for nothing but a person's answer, whichever of its children asks. */
  async #inform(parent: LoopRun, child: LoopRun): Promise<void> {
    const { outstanding, snapshot } = parent.state;
    const opening = outstanding.find(({ effect }) => `${parent.id}/${effect}` === child.parentEffect);
    if (!opening || hasEnded(child.state)) return;
    const { key, input } = opening;
    const { pending, waitingSince }: Life = snapshot.context;
    const isAsked = waitsForPerson(child);
    // Where one of several children waits, its parent records which; with a single child, only since when.
    if (isAsked === (pending[key] === 'waiting' || waitingSince !== null)) return;
    const { callId, lane } = input;
    this.#informing.add(child.id);
    const which = { ...(callId === undefined ? {} : { callId }), ...(lane === undefined ? {} : { lane }) };
    const payload = { child: child.id, ...which };
    const result = await parent.post({ type: isAsked ? 'child.asked' : 'child.answered', payload });
    this.#informing.delete(child.id);
    if (result.kind === 'accepted') this.update();
  }
}
