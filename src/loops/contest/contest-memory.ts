import type { EventOf } from '../../../machines/events.ts';
import { type Measure, ContestOptions } from '../../../machines/contest-facts.ts';
import type { Outcome } from '../../../machines/outcome.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopMemory } from '../../kernel/loop-memory.ts';

/** An attempt of a contest, and what is known of it. */
export interface Contestant {
  /** Which one it is, from `1`. */
  readonly lane: string;
  readonly model: string;
  readonly prepared: EventOf<'attempt.prepared'>['payload'] | null;
  /** Its run, once that has ended. */
  readonly child: string | null;
  readonly outcome: Outcome | null;
  /** Another one had won when it ended. */
  readonly isStopped: boolean;
  readonly measure: Measure | null;
  /** Hash of the tree that it has left. */
  readonly tree: string | null;
  /** Why there is no work of it. */
  readonly lost: string | null;
  /** It was the winner, once. */
  readonly isChosen: boolean;
  /** Its change has not passed in the workspace. */
  readonly isRefused: boolean;
}

/** The attempts of a contest, folded from the facts of its run. */
export class ContestMemory implements LoopMemory {
  readonly options: ContestOptions;
  readonly #model: string;
  readonly #all = new Map<string, Contestant>();
  #leader: string | null = null;
  #isOver = false;
  /** The newest change that was brought into the workspace. */
  brought: EventOf<'winner.brought'>['payload'] | null = null;

  constructor({ options, model }: Pick<RunSettings, 'options' | 'model'>) {
    this.options = ContestOptions.parse(options ?? {});
    this.#model = model;
  }

  /** In the order in which they have begun. */
  all(): readonly Contestant[] {
    return [...this.#all.values()];
  }

  of(lane: string | null | undefined): Contestant | null {
    return this.#all.get(lane ?? '') ?? null;
  }

  /** The attempt that leads, or has won. */
  leader(): Contestant | null {
    return this.of(this.#leader);
  }

  /** The model of an attempt: each of those that are named, by turns. */
  modelOf(lane: string): string {
    const { models } = this.options;
    return models[(Number(lane) - 1) % Math.max(1, models.length)] ?? this.#model;
  }

  observe(fact: Fact): void {
    switch (fact.type) {
      case 'iteration.started':
        this.#begin(String(fact.payload.iteration + 1));
        break;
      case 'attempt.prepared':
        this.#note(fact.payload.lane, { prepared: fact.payload });
        break;
      case 'attempt.refused':
        this.#note(fact.payload.lane, { lost: fact.payload.fault.message });
        break;
      case 'child.settled':
        this.#settle(fact.payload);
        break;
      case 'effect.interrupted':
        if (fact.payload.lane !== undefined) this.#note(fact.payload.lane, { lost: fact.payload.reason });
        break;
      case 'timer.fired':
        if (fact.payload.timer === 'grace') this.#giveUp();
        break;
      case 'attempt.measured':
        this.#note(fact.payload.lane, { measure: fact.payload.measure, tree: fact.payload.tree });
        break;
      case 'attempts.compared':
        this.#leader = fact.payload.leader;
        this.#isOver = fact.payload.isDecided;
        if (this.#isOver && this.#leader !== null) this.#note(this.#leader, { isChosen: true });
        break;
      case 'winner.brought':
        this.brought = fact.payload;
        break;
      case 'verification.completed':
        if (!fact.payload.passed && fact.payload.proof?.dispute?.is !== 'asked') this.#refuse();
        break;
    }
  }

  #begin(lane: string): void {
    this.#isOver = false;
    const nothing = { prepared: null, child: null, outcome: null, measure: null, tree: null, lost: null };
    this.#all.set(lane, {
      lane,
      model: this.modelOf(lane),
      isStopped: false,
      isChosen: false,
      isRefused: false,
      ...nothing,
    });
  }

  #settle({ lane, child, outcome }: EventOf<'child.settled'>['payload']): void {
    this.#note(lane ?? '', { child, outcome, isStopped: this.#isOver });
  }

  /** What has not ended in time is given up. */
  #giveUp(): void {
    for (const { lane, measure, lost } of this.all())
      if (measure === null && lost === null) this.#note(lane, { lost: 'given up, as it did not end in time' });
  }

  #refuse(): void {
    if (this.#leader !== null) this.#note(this.#leader, { isRefused: true });
    this.#leader = null;
    this.#isOver = false;
  }

  #note(lane: string, more: Partial<Contestant>): void {
    const known = this.#all.get(lane);
    if (known) this.#all.set(lane, { ...known, ...more });
  }
}
