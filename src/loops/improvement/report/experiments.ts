import type { EventOf } from '../../../../machines/events.ts';
import type { Discovery, Witness } from '../../../../machines/improvement-facts.ts';
import type { Grade } from '../../../../machines/outcome.ts';
import { gradedChecks } from '../../../evidence/grade.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';
import { mayContinue } from '../memory.ts';
import { isUnshown, OUTRUN, type Refusal, refusalIn } from './candidate-refusal.ts';

type Evaluation = EventOf<'evaluation.completed'>['payload'];
type Integrated = EventOf<'integration.completed'>['payload'];

/** A candidate that was tried. */
export interface Experiment {
  /** From 1. */
  readonly iteration: number;
  readonly discovery: Discovery;
  /** What is to show that it is done. Null: it has no worktree yet, or the run began before candidates named one. */
  witness: Witness | null;
  tiers: readonly EventOf<'tier.completed'>['payload'][];
  built: EventOf<'candidate.built'>['payload'] | null;
  evaluation: Evaluation | null;
  /** What its checks are worth, where its evaluation has no grade. Null: none ran. */
  checks: Grade | null;
  /** A limit has cut it, and a later iteration continues its work. */
  goesOn: boolean;
  kept: Integrated | null;
  refusal: Refusal | null;
}

/** The candidates that a run has tried, and what became of each, folded from its facts. */
export class Experiments {
  readonly tried: Experiment[] = [];
  /** Candidates of the newest iteration that were not tried. */
  left: readonly Discovery[] = [];
  #iteration = 0;
  /** The candidate that is evaluated, or was last. */
  #evaluated: string | null = null;
  /** By the candidates: what is built may be evaluated in a later iteration. */
  readonly #witnesses = new Map<string, Witness>();
  /** How often experiments were cut, by the fingerprints of their findings. */
  readonly #cuts = new Map<string, number>();

  observe(fact: Fact): void {
    if (fact.type === 'iteration.started') {
      this.#iteration = fact.payload.iteration + 1;
      this.left = [];
      this.#evaluated = null;
    }
    if (fact.type === 'filter.completed') this.left = fact.payload.candidates;
    if (fact.type === 'experiment.started') this.#begin(fact.payload.candidate);
    if (fact.type === 'candidate.built' || fact.type === 'tier.completed') this.#evaluated = fact.payload.candidate;
    const about = this.#underWay(candidateIn(fact) ?? this.#evaluated);
    if (about) this.#note(about, fact);
    if (fact.type === 'evaluation.completed' && fact.payload.passed) this.#outrun(fact.payload.candidate);
  }

  /** The experiment of a candidate in this iteration. */
  #underWay(id: string | null): Experiment | undefined {
    return this.tried.findLast(({ iteration, discovery }) => iteration === this.#iteration && discovery.id === id);
  }

  #begin(id: string): void {
    const again = this.#underWay(id);
    if (again) again.refusal = null;
    const discovery = this.left.find((one) => one.id === id);
    if (again || !discovery) return;
    this.left = this.left.filter((one) => one !== discovery);
    const { length } = this.tried;
    this.tried[length] = {
      iteration: this.#iteration,
      discovery,
      witness: this.#witnesses.get(id) ?? null,
      tiers: [],
      built: null,
      evaluation: null,
      checks: null,
      goesOn: false,
      kept: null,
      refusal: null,
    };
  }

  #note(experiment: Experiment, fact: Fact): void {
    if (fact.type === 'experiment.prepared' && fact.payload.witness) {
      const { candidate, witness } = fact.payload;
      this.#witnesses.set(candidate, witness);
      experiment.witness = witness;
    }
    if (fact.type === 'evaluation.completed' && fact.payload.cut) {
      const { fingerprint } = experiment.discovery;
      const times = (this.#cuts.get(fingerprint) ?? 0) + 1;
      this.#cuts.set(fingerprint, times);
      experiment.goesOn = experiment.built !== null && mayContinue(times, experiment.built);
    }
    note(experiment, fact);
  }

  /** One has won: those tried beside it do not get their turn. */
  #outrun(winner: string): void {
    for (const one of this.tried) {
      const hasHadTurn = one.discovery.id === winner || isUnshown(one.evaluation);
      if (one.iteration === this.#iteration && !hasHadTurn) one.refusal ??= OUTRUN;
    }
  }
}

/** The candidate that a fact names. Null: it names none. */
function candidateIn({ type, payload }: Fact): string | null {
  if (type === 'child.settled' || type === 'effect.interrupted') return payload.lane ?? '';
  return 'candidate' in payload ? payload.candidate : null;
}

function note(experiment: Experiment, fact: Fact): void {
  switch (fact.type) {
    case 'candidate.built':
      experiment.built = fact.payload;
      experiment.tiers = [];
      break;
    case 'evaluation.interrupted':
      experiment.tiers = [];
      break;
    case 'tier.completed':
      experiment.tiers = [...experiment.tiers, fact.payload];
      break;
    case 'verification.completed':
      experiment.checks = gradedChecks(fact.payload)?.grade ?? null;
      break;
    case 'evaluation.completed':
      experiment.evaluation = fact.payload;
      break;
    case 'integration.completed':
      experiment.kept = fact.payload;
      break;
  }
  experiment.refusal ??= refusalIn(fact);
}
