import { BehaviorSubject, distinctUntilChanged, type Observable } from 'rxjs';
import type { Life } from '../../machines/life.ts';
import { hasEnded } from '../kernel/fold.ts';
import type { LoopRun } from './loop-run.ts';
import { isWaiting, waitsForPerson } from './wait-states.ts';

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
