import type { EventOf } from '../../../machines/events.ts';
import type { AcceptanceTest } from '../../../machines/improvement-facts.ts';
import type { Outcome } from '../../../machines/outcome.ts';
import { type ExperimentEnd, howItEnded } from './evaluation/experiment-end.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';

type Prepared = EventOf<'experiment.prepared'>['payload'];

/** What one experiment has come to. */
export interface ExperimentUnderWay {
  /** 0-based: its worktree is named by it. */
  readonly iteration: number;
  readonly candidate: string;
  /** Null: it has no worktree yet. */
  readonly prepared: Prepared | null;
  /** The run that worked in it, once that has ended. */
  readonly child: string | null;
  /** How that ended, and its last answer. */
  readonly ended: { readonly outcome: Outcome; readonly answer: string } | null;
  /** The test that was written first. Null: its witness is another one, or there is none. */
  readonly acceptance: AcceptanceTest | null;
}

/** The experiments of a run whose candidates were neither kept nor refused, by their candidates. */
export class ExperimentMemory {
  readonly #all = new Map<string, ExperimentUnderWay>();
  #iteration = -1;
  /** One has won, or the run is stopped: what ends from here on has been stopped. */
  #isStopping = false;

  /** In the order in which they have begun. */
  all(): readonly ExperimentUnderWay[] {
    return [...this.#all.values()];
  }

  of(candidate: string | null | undefined): ExperimentUnderWay | null {
    return this.#all.get(candidate ?? '') ?? null;
  }

  /** The end of its run. Null: it has not ended. */
  endOf(candidate: string): ExperimentEnd | null {
    const ended = this.of(candidate)?.ended;
    return ended ? howItEnded(ended.outcome, ended.answer) : null;
  }

  /** It has begun, and has no worktree yet. */
  isStarting(candidate: string): boolean {
    return this.of(candidate)?.prepared === null;
  }

  /** Its work is done. */
  isBuilt(candidate: string): boolean {
    return this.of(candidate)?.child != null;
  }

  /** It was built in an earlier iteration, on another head. */
  isLate(candidate: string): boolean {
    return (this.of(candidate)?.iteration ?? this.#iteration) < this.#iteration;
  }

  forget(candidate: string): void {
    this.#all.delete(candidate);
  }

  observe(fact: Fact): void {
    switch (fact.type) {
      case 'iteration.started':
        this.#iteration = fact.payload.iteration;
        this.#isStopping = false;
        // What was not built has been stopped, or was lost.
        this.#keep(({ child }) => child !== null);
        break;
      case 'filter.completed': {
        const found = new Set(fact.payload.candidates.map(({ id }) => id));
        this.#keep(({ candidate }) => found.has(candidate));
        break;
      }
      case 'experiment.started':
        this.#isStopping = false;
        if (!fact.payload.built) this.#begin(fact.payload.candidate);
        break;
      case 'plans.written':
        for (const one of fact.payload.acceptance ?? [])
          if ('test' in one) this.#note(one.candidate, { acceptance: one.test });
        break;
      case 'experiment.prepared':
        this.#note(fact.payload.candidate, { prepared: fact.payload });
        break;
      case 'evaluation.completed':
        this.#isStopping = fact.payload.passed;
        break;
      case 'abort.requested':
        this.#isStopping = true;
        break;
      case 'timer.fired':
        this.#isStopping ||= fact.payload.timer === 'deadline';
        break;
      case 'child.settled':
        if (this.#isStopping) this.forget(fact.payload.lane ?? '');
        else this.#settle(fact.payload);
        break;
      case 'effect.interrupted':
        this.forget(fact.payload.lane ?? '');
        break;
    }
  }

  #begin(candidate: string): void {
    const nothing = { prepared: null, child: null, ended: null, acceptance: null };
    this.#all.set(candidate, { iteration: this.#iteration, candidate, ...nothing });
  }

  #settle({ lane, child, outcome, answer }: EventOf<'child.settled'>['payload']): void {
    this.#note(lane ?? '', { child, ended: { outcome, answer } });
  }

  #note(candidate: string, more: Partial<ExperimentUnderWay>): void {
    const known = this.#all.get(candidate);
    if (known) this.#all.set(candidate, { ...known, ...more });
  }

  #keep(stays: (one: ExperimentUnderWay) => boolean): void {
    for (const one of this.all()) if (!stays(one)) this.forget(one.candidate);
  }
}
