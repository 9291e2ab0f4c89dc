import type { EventOf, Recorded } from '../../../machines/events.ts';
import type { Discovery } from '../../../machines/improvement-facts.ts';
import { ImprovementOptions } from '../../../machines/improvement-options.ts';
import { type Grade, isUnanswered, type Outcome } from '../../../machines/outcome.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { gradedChecks } from '../../evidence/grade.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopMemory } from '../../kernel/loop-memory.ts';

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
  /** What the newest discovery found. */
  discoveries: readonly Discovery[] = [];
  /** Of this iteration, in the order in which they are tried. */
  candidates: readonly Discovery[] = [];
  /** Oldest first. */
  readonly tried: Tried[] = [];
  /** Of this iteration, by the id of the candidate. */
  plans: ReadonlyMap<string, string> = new Map();
  /** The batch that the plans are waited for from. Null: none was submitted, or its result is there. */
  batch: string | null = null;
  /** Experiments of this iteration that have begun. */
  begun = 0;
  candidate: Discovery | null = null;
  prepared: Prepared | null = null;
  built: Built | null = null;
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

  observe(fact: Fact): void {
    const event: Recorded<Fact> = fact;
    switch (event.type) {
      case 'iteration.started':
        this.iteration = event.payload.iteration;
        this.discoveries = [];
        this.candidates = [];
        this.plans = new Map();
        this.batch = null;
        this.begun = 0;
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
        this.plans = new Map(event.payload.plans.map(({ candidate, text }) => [candidate, text]));
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
        if (this.candidate) this.tried.push({ discovery: this.candidate, iteration: this.iteration, refused: null });
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
    this.evaluation = null;
  }

  #refuse(discovery: Discovery | null, why: string): void {
    if (discovery) this.tried.push({ discovery, iteration: this.iteration, refused: why });
  }
}
