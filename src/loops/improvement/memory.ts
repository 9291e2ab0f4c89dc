import type { EventOf, LoopEvent, Recorded } from '../../../machines/events.ts';
import type { CandidateGrade, Discovery } from '../../../machines/improvement-facts.ts';
import { ImprovementOptions } from '../../../machines/improvement-options.ts';
import { isUnanswered } from '../../../machines/outcome.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopMemory } from '../../kernel/loop-memory.ts';
import { REPOSITORY_CHANGED } from './evaluation/origin-change.ts';
import { LastLook } from './last-look.ts';
import { ExperimentMemory } from './experiment-memory.ts';
import { PlanMemory } from './planning/plan-memory.ts';
import { needsAcceptance } from './witness/needs-acceptance.ts';

/** A candidate that was tried, and why it was not kept. Null: it was. */
export interface Tried {
  readonly discovery: Discovery;
  readonly iteration: number;
  readonly refused: string | null;
}

type Built = EventOf<'candidate.built'>['payload'];
type Evaluation = EventOf<'evaluation.completed'>['payload'];

/** The work of an experiment that was cut by a limit. */
export interface CutWork {
  /** The trees that it began with, and that it had. */
  readonly base: string;
  readonly tree: string;
  /** How it ended, and its last answer. */
  readonly said: string;
  readonly times: number;
}

/** An evaluation that passed, by the version of its event. */
interface Verdict {
  readonly version: number;
  readonly workspace: string | null;
}

/** So often an experiment that is cut goes on in a later iteration. */
const MAX_CUTS = 3;

/** Tells whether a cut experiment continues in a later iteration. One that has made nothing begins anew only once. */
export const mayContinue = (times: number, { base, tree }: Pick<Built, 'base' | 'tree'>): boolean =>
  times <= (base === tree ? 1 : MAX_CUTS);

/** What an improvement loop keeps beside its chart: what was found and tried, and what its experiments have made. */
export class ImprovementMemory implements LoopMemory {
  readonly options: ImprovementOptions;
  readonly look = new LastLook();
  /** What the newest discovery found. */
  discoveries: readonly Discovery[] = [];
  /** Of this iteration, in the order in which they are tried. */
  candidates: readonly Discovery[] = [];
  /** Oldest first. */
  readonly tried: Tried[] = [];
  readonly plans = new PlanMemory();
  readonly experiments = new ExperimentMemory();
  /** What the newest candidate that was evaluated has changed. Null: nothing is evaluated. */
  built: Built | null = null;
  /** What changed while it ran that refuses it. Null: nothing, as far as was said. */
  disturbed: string | null = null;
  /** What the newest evaluation said. */
  evaluation: Evaluation | null = null;
  /** The newest commit of the loop's branch. Null: nothing is integrated yet. */
  commit: string | null = null;
  /** What all that is integrated is worth: the least of its changes. Null: nothing is, or none had a grade. */
  grade: CandidateGrade | null = null;
  /** The verdict on the newest change that is kept, and its tree. Null: nothing is kept yet. */
  integrated: Verdict | null = null;
  #verdict: Verdict | null = null;
  /** All checks pass on the head. */
  isSound = true;
  /** A check of the head names its tests: only then a new test can show anything. */
  hasRunner = false;
  /** Changes on branches of their own: nothing shows that they are done. */
  apart = 0;
  /** What experiments have made that were cut by a limit, by the fingerprints of their findings. */
  readonly cut = new Map<string, CutWork>();
  /** The hash of the tree that the newest integration has left. Null: nothing is integrated yet. */
  head: string | null = null;
  iteration = -1;

  constructor(settings: Pick<RunSettings, 'options'>) {
    this.options = ImprovementOptions.parse(settings.options ?? {});
  }

  /** A candidate of this iteration, by its id. */
  candidate(id: string | null | undefined): Discovery | null {
    return this.candidates.find((one) => one.id === id) ?? null;
  }

  /** Why the discoveries with a fingerprint are not tried again. */
  known(): ReadonlyMap<string, string | null> {
    return new Map(this.tried.map(({ discovery, refused }) => [discovery.fingerprint, refused]));
  }

  /**
   * Whose plan is to be asked for: by calls of the experiments that are about to start, in a batch of all candidates of
   * the iteration that were not tried. A plan that was written before is used again. `hasRunner`: a check of the head
   * names its tests, so that an acceptance test can be.
   */
  unplanned(by: 'batch' | 'calls'): readonly Discovery[] {
    const { useBatchAPI } = this.options.phases.experiment;
    return this.#wanting(by).filter(
      (one) => this.plans.isMissing(one.id) && (useBatchAPI || (this.hasRunner && needsAcceptance(one, this.options))),
    );
  }

  /** The experiments that are about to start, and whose acceptance tests were not run on the head yet. */
  unshown(): readonly Discovery[] {
    return this.#wanting('calls').filter(
      (one) => needsAcceptance(one, this.options) && this.plans.acceptanceOf(one.id) === null,
    );
  }

  #wanting(by: 'batch' | 'calls'): readonly Discovery[] {
    const isTried = (id: string) =>
      this.tried.some(({ discovery, iteration }) => iteration === this.iteration && discovery.id === id);
    return this.candidates.filter(({ id }) =>
      by === 'calls' ? this.experiments.isStarting(id) : !isTried(id) && !this.experiments.isBuilt(id),
    );
  }

  observe(fact: Fact): void {
    const event: Recorded<Fact> = fact;
    this.look.observe(fact);
    this.experiments.observe(event);
    if (event.type === 'iteration.started') this.#startIteration(event.payload.iteration);
    this.#observeFinding(event);
    this.#observeExperiment(event);
    this.#observeVerdict(event);
    this.#observeHead(event);
  }

  #startIteration(iteration: number): void {
    this.iteration = iteration;
    this.discoveries = [];
    this.candidates = [];
    this.plans.startIteration();
    this.built = null;
    this.evaluation = null;
    this.disturbed = null;
  }

  /** Findings, the candidates among them, and the plans for those. */
  #observeFinding({ type, payload }: LoopEvent): void {
    switch (type) {
      case 'discovery.completed':
        this.discoveries = payload.discoveries;
        break;
      case 'filter.completed':
        this.candidates = payload.candidates;
        if (!this.options.phases.experiment.enabled)
          for (const { id } of this.candidates) this.#tried(id, 'experiments are off: it is only listed');
        break;
      case 'batch.submitted':
        this.plans.batch = payload.batch;
        break;
      case 'plans.written':
        this.plans.note(payload, this.#wanting(payload.by));
        break;
    }
  }

  /** Experiments: refused or ended, what they have built, and what has disturbed them. */
  #observeExperiment({ type, payload }: LoopEvent): void {
    switch (type) {
      case 'experiment.started':
        this.disturbed = null;
        break;
      case 'experiment.refused':
        this.#tried(payload.candidate, payload.fault.message);
        break;
      case 'child.settled':
        this.#settled(payload);
        break;
      case 'candidate.built':
        this.built = payload;
        break;
      case 'warning.raised':
        if (payload.code === REPOSITORY_CHANGED) this.disturbed = payload.message;
        break;
    }
  }

  /** Verdicts on what was built: of the tiers, of a person, and of the integration. */
  #observeVerdict({ type, payload, version }: Recorded<LoopEvent>): void {
    switch (type) {
      case 'evaluation.completed':
        this.evaluation = payload;
        this.#verdict = payload.passed ? { version, workspace: payload.tree } : null;
        this.disturbed = null;
        if (!payload.passed) this.#refused(payload);
        break;
      case 'integration.denied':
        this.#tried(this.evaluation?.candidate, payload.reason ?? 'a person denied it');
        break;
      case 'integration.failed':
        this.#tried(payload.candidate, payload.reason);
        break;
    }
  }

  /** The head of the loop's branch: how its checks go, and what was integrated into it. */
  #observeHead({ type, payload }: LoopEvent): void {
    switch (type) {
      case 'baseline.taken':
        this.isSound = payload.passed && !payload.fault;
        this.hasRunner = payload.tests.length > 0;
        break;
      case 'integration.completed':
        this.#tried(payload.candidate, null);
        this.integrated = this.#verdict;
        if (this.grade !== 'not regressed') this.grade = this.evaluation?.grade ?? null;
        if (payload.to === 'branch') break;
        this.commit = payload.commit;
        this.head = payload.tree;
        break;
    }
  }

  /** An error of its own ends the iteration. A model that gave no answer may have left something to evaluate. */
  #settled({ lane, outcome }: EventOf<'child.settled'>['payload']): void {
    if (outcome.ending !== 'abort' || outcome.cause !== 'error' || isUnanswered(outcome)) return;
    this.#tried(lane, outcome.fault?.message ?? 'the experiment failed');
  }

  /** What was built on an older head, and does not fit on this one, may be tried anew; what was cut may go on. */
  #refused({ candidate, tier, reason, grade, cut }: Evaluation): void {
    const isLate = tier === 'applies' && this.experiments.isLate(candidate);
    if (grade) this.apart += 1;
    if (isLate || (cut && this.#goesOn(candidate, reason))) this.experiments.forget(candidate);
    else this.#tried(candidate, reason);
  }

  /** Tells whether the candidate of an experiment that was cut is tried again, with what was made of it so far. */
  #goesOn(candidate: string, reason: string): boolean {
    const { fingerprint = '' } = this.candidate(candidate) ?? {};
    const times = (this.cut.get(fingerprint)?.times ?? 0) + 1;
    if (this.built?.candidate !== candidate || !mayContinue(times, this.built)) return false;
    const { base, tree } = this.built;
    this.cut.set(fingerprint, { base, tree, said: reason, times });
    return true;
  }

  #tried(candidate: string | undefined, refused: string | null): void {
    const discovery = this.candidate(candidate);
    if (!discovery) return;
    this.tried.push({ discovery, iteration: this.iteration, refused });
    this.plans.forget(discovery.id);
    this.experiments.forget(discovery.id);
  }
}
