import type { RunSettings, Limits } from '../../machines/settings.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import { fold, open, type RunState, lifeOf } from '../kernel/fold.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { knownLoop } from './loop-in-view.ts';
import { LIMIT_OF } from '../budget/limit-use.ts';
import type { Rounds } from '../kernel/loop-ranking.ts';

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

/** A run after one of its facts. */
export interface Folded {
  readonly state: RunState;
  readonly settings: RunSettings;
  readonly loop: LoopDefinition;
}

/** Folds a run from its facts, for read models that need the state of its machine. */
export class FoldedRun {
  readonly #loops: readonly LoopDefinition[];
  #now: Folded | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#loops = loops;
  }

  /** The run after the newest of its facts. Null: it has none, or its loop is not known here. */
  get now(): Folded | null {
    return this.#now;
  }

  /** Takes each fact of the run once, in order. Null: its loop is not known here. */
  observe(fact: Fact): Folded | null {
    if (fact.type === 'run.started') {
      const opened = open(fact, this.#loops);
      const loop = opened.kind === 'opened' ? knownLoop(opened.state.entry.id, this.#loops) : null;
      this.#now =
        opened.kind === 'opened' && loop ? { state: opened.state, settings: fact.payload.settings, loop } : null;
    } else if (this.#now) {
      const state = fold(this.#now.state, fact);
      const loop = knownLoop(state.entry.id, this.#loops);
      this.#now = loop && { ...this.#now, state, loop };
    }
    return this.#now;
  }

  /** Takes a fact that the run itself has folded, and the state that it led to. Null: its loop is not known here. */
  adopt(fact: Fact, state: RunState): Folded | null {
    const settings = fact.type === 'run.started' ? fact.payload.settings : this.#now?.settings;
    const isSame = this.#now?.state.entry === state.entry;
    const loop = isSame ? (this.#now?.loop ?? null) : knownLoop(state.entry.id, this.#loops);
    this.#now = settings && loop ? { state, settings, loop } : null;
    return this.#now;
  }
}
