import type { Limits } from '../../machines/settings.ts';
import { LIMIT_OF } from '../budget/reached-limits.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import { lifeOf } from '../kernel/fold.ts';
import type { Rounds } from '../kernel/rounds.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { FoldedRun } from './folded-run.ts';
import { knownLoop } from './loop-in-view.ts';

type RoundNumbers = ReturnType<NonNullable<Rounds['shown']>>;

/**
 * The limits of a run as they are after each of its facts. A continuation changes them; so do events of a loop whose
 * `rounds.most` says how many rounds may run, and only such a loop is folded for it.
 */
export class LimitsInForce {
  readonly #loops: readonly LoopDefinition[];
  #folded: FoldedRun | null = null;
  #limits: Limits | null = null;
  #numbers: RoundNumbers | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#loops = loops;
  }

  /** Takes each fact of the run once, in order. Null before the first. */
  observe(fact: Fact): Limits | null {
    if (fact.type === 'run.started') {
      this.#limits = fact.payload.settings.limits;
      const isMoving = knownLoop(fact.payload.machine, this.#loops)?.rounds.most !== undefined;
      this.#folded = isMoving ? new FoldedRun(this.#loops) : null;
    }
    if (fact.type === 'run.continued') this.#limits = fact.payload.limits;
    const now = this.#folded?.observe(fact);
    if (this.#limits && now?.loop.rounds.most) {
      const { limit, most } = now.loop.rounds;
      this.#limits = { ...this.#limits, [LIMIT_OF[limit]]: most(lifeOf(now.state)) };
    }
    if (now?.loop.rounds.shown) this.#numbers = now.loop.rounds.shown(lifeOf(now.state));
    return this.#limits;
  }

  /** The numbers of its rounds for people, after the newest fact. Null: as they are counted. */
  get numbers(): RoundNumbers | null {
    return this.#numbers;
  }

  /** No state is folded past an event that cannot be read: the limits stay as they are known. */
  unreadable(): void {
    this.#folded = null;
  }
}
