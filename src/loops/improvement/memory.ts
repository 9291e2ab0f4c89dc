import type { EventOf, Recorded } from '../../../machines/events.ts';
import type { Discovery } from '../../../machines/improvement-facts.ts';
import { ImprovementOptions } from '../../../machines/improvement-options.ts';
import { type Grade, isUnanswered, type Outcome } from '../../../machines/outcome.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { gradedChecks } from '../../evidence/grade.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopMemory } from '../../kernel/loop-memory.ts';
import { REPOSITORY_CHANGED } from './evaluation/changed-origin.ts';
import { LastLook } from './last-look.ts';

/** A candidate that was tried, and why it was not kept. Null: it was. */
export interface Tried {
  readonly discovery: Discovery;
  readonly iteration: number;
  readonly refused: string | null;
}

type Prepared = EventOf<'experiment.prepared'>['payload'];
type Built = EventOf<'candidate.built'>['payload'];

/** What an improvement loop keeps beside its chart: what was found and tried, and what the experiment under way has. */
export class ImprovementMemory implements LoopMemory {
  readonly options: ImprovementOptions;
  readonly look = new LastLook();
  /** What the newest discovery found. */
  discoveries: readonly Discovery[] = [];
  /** Of this iteration, in the order in which they are tried. */
  candidates: readonly Discovery[] = [];
  /** Oldest first. */
  readonly tried: Tried[] = [];
  /** Written in this run for candidates that were not tried yet, by their ids. */
  readonly #plans = new Map<string, string>();
  /** The candidates of this iteration whose plans were asked for: what has failed is not paid again. */
  readonly #planned = new Set<string>();
  /** The batch that the plans are waited for from. Null: none was submitted, or its result is there. */
  batch: string | null = null;
  /** Experiments of this iteration that have begun. */
  begun = 0;
  candidate: Discovery | null = null;
  prepared: Prepared | null = null;
  built: Built | null = null;
  /** What changed while it ran that refuses it. Null: nothing, as far as was said. */
  disturbed: string | null = null;
  /** What the newest evaluation said. */
  evaluation: EventOf<'evaluation.completed'>['payload'] | null = null;
  /** The newest commit of the loop's branch. Null: nothing is integrated yet. */
  commit: string | null = null;
  /** What the checks on what was integrated last are worth. Null: they have not passed. */
  grade: Grade | null = null;
  #newestGrade: Grade | null = null;
  /** The hash of the tree that the newest integration has left. Null: nothing is integrated yet. */
  head: string | null = null;
  iteration = -1;

  constructor(settings: Pick<RunSettings, 'options'>) {
    this.options = ImprovementOptions.parse(settings.options ?? {});
  }

  /** The candidate that is to be tried next. Null: there is none. */
  next(): Discovery | null {
    return this.candidates[this.begun] ?? null;
  }

  /** Why the discoveries with a fingerprint are not tried again. */
  known(): ReadonlyMap<string, string | null> {
    return new Map(this.tried.map(({ discovery, refused }) => [discovery.fingerprint, refused]));
  }

  planOf(candidate: string): string | null {
    return this.#plans.get(candidate) ?? null;
  }

  /**
   * Whose plan is to be asked for: by calls of the experiments that are about to start, in a batch of all candidates of
   * the iteration. A plan that was written before is used again.
   */
  unplanned(by: 'batch' | 'calls'): readonly Discovery[] {
    return this.#wanting(by).filter(({ id }) => !this.#plans.has(id) && !this.#planned.has(id));
  }

  #wanting(by: 'batch' | 'calls'): readonly Discovery[] {
    const { candidate } = this;
    const starting = candidate === null ? [] : [candidate];
    return by === 'calls' ? starting : [...starting, ...this.candidates.slice(this.begun)];
  }

  #notePlans({ plans, by }: EventOf<'plans.written'>['payload']): void {
    for (const { id } of this.#wanting(by)) this.#planned.add(id);
    for (const { candidate, text } of plans) this.#plans.set(candidate, text);
  }

  observe(fact: Fact): void {
    const event: Recorded<Fact> = fact;
    this.look.observe(fact);
    switch (event.type) {
      case 'iteration.started':
        this.iteration = event.payload.iteration;
        this.discoveries = [];
        this.candidates = [];
        this.batch = null;
        this.begun = 0;
        this.#planned.clear();
        this.#forgetExperiment();
        break;
      case 'discovery.completed':
        this.discoveries = event.payload.discoveries;
        break;
      case 'filter.completed':
        this.candidates = event.payload.candidates;
        if (!this.options.phases.experiment.enabled)
          for (const one of this.candidates) this.#refuse(one, 'experiments are off: it is only listed');
        break;
      case 'batch.submitted':
        this.batch = event.payload.batch;
        break;
      case 'plans.written':
        this.batch = null;
        this.#notePlans(event.payload);
        break;
      case 'experiment.started':
        this.#forgetExperiment();
        this.candidate = this.candidates.find(({ id }) => id === event.payload.candidate) ?? null;
        this.begun += 1;
        break;
      case 'experiment.prepared':
        this.prepared = event.payload;
        break;
      case 'experiment.refused':
        this.#refuse(this.candidate, event.payload.fault.message);
        break;
      case 'effect.interrupted':
        if (event.payload.actor === 'agent') this.#refuse(this.candidate, event.payload.reason);
        break;
      case 'child.settled':
        this.#settled(event.payload.outcome);
        break;
      case 'candidate.built':
        this.built = event.payload;
        break;
      case 'warning.raised':
        if (event.payload.code === REPOSITORY_CHANGED) this.disturbed = event.payload.message;
        break;
      case 'verification.completed':
        this.#newestGrade = gradedChecks(event.payload)?.grade ?? null;
        break;
      case 'evaluation.completed':
        this.evaluation = event.payload;
        if (!event.payload.passed) this.#refuse(this.candidate, event.payload.reason);
        break;
      case 'integration.denied':
        this.#refuse(this.candidate, event.payload.reason ?? 'a person denied it');
        break;
      case 'integration.failed':
        this.#refuse(this.candidate, event.payload.reason);
        break;
      case 'integration.completed':
        if (this.candidate) this.#tried(this.candidate, null);
        if (event.payload.to === 'branch') break;
        this.commit = event.payload.commit;
        this.head = event.payload.tree;
        this.grade = this.#newestGrade;
        break;
    }
  }

  /** An error of its own ends the iteration. A model that gave no answer may have left something to evaluate. */
  #settled(outcome: Outcome): void {
    if (outcome.ending !== 'abort' || outcome.cause !== 'error' || isUnanswered(outcome)) return;
    this.#refuse(this.candidate, outcome.fault?.message ?? 'the experiment failed');
  }

  #forgetExperiment(): void {
    this.candidate = null;
    this.prepared = null;
    this.built = null;
    this.disturbed = null;
    this.evaluation = null;
  }

  #refuse(discovery: Discovery | null, why: string): void {
    if (discovery) this.#tried(discovery, why);
  }

  #tried(discovery: Discovery, refused: string | null): void {
    this.tried.push({ discovery, iteration: this.iteration, refused });
    this.#plans.delete(discovery.id);
  }
}
