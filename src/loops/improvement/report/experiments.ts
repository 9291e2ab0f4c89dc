import type { EventOf } from '../../../../machines/events.ts';
import type { Discovery } from '../../../../machines/improvement-facts.ts';
import type { Grade } from '../../../../machines/outcome.ts';
import { gradedChecks } from '../../../evidence/grade.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';
import { failedBy } from '../history/cut-short.ts';

type Integrated = EventOf<'integration.completed'>['payload'];

/** Where a candidate was refused, and why. */
export interface Refusal {
  /** The tier of the evaluation, or what else refused it: `a person`. */
  readonly by: string;
  readonly isTier: boolean;
  readonly reason: string;
}

/** A candidate that was tried. */
export interface Experiment {
  /** From 1. */
  readonly iteration: number;
  readonly discovery: Discovery;
  tiers: readonly EventOf<'tier.completed'>['payload'][];
  built: EventOf<'candidate.built'>['payload'] | null;
  /** What its checks are worth, if it is kept. Null: none ran. */
  grade: Grade | null;
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
    if (about) note(about, fact);
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
      tiers: [],
      built: null,
      grade: null,
      kept: null,
      refusal: null,
    };
  }

  /** One has won: those tried beside it do not get their turn. */
  #outrun(winner: string): void {
    for (const one of this.tried) {
      if (one.iteration === this.#iteration && one.discovery.id !== winner) one.refusal ??= OUTRUN;
    }
  }
}

const OUTRUN: Refusal = {
  by: 'another candidate',
  isTier: false,
  reason: 'a candidate of more relevance passed before its turn',
};

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
      experiment.grade = gradedChecks(fact.payload)?.grade ?? null;
      break;
    case 'integration.completed':
      experiment.kept = fact.payload;
      break;
  }
  experiment.refusal ??= refusalIn(fact);
}

function refusalIn(fact: Fact): Refusal | null {
  switch (fact.type) {
    case 'experiment.refused':
      return { by: 'its worktree', isTier: false, reason: fact.payload.fault.message };
    case 'child.settled': {
      const failed = failedBy(fact);
      return failed && { by: 'an error', isTier: false, reason: failed.error ?? '' };
    }
    case 'effect.interrupted':
      if (fact.payload.actor !== 'agent') return null;
      return { by: 'an interruption', isTier: false, reason: fact.payload.reason };
    case 'evaluation.completed': {
      const { passed, tier, reason } = fact.payload;
      return passed ? null : { by: tier ?? 'the evaluation', isTier: tier !== null, reason };
    }
    case 'integration.denied':
      return { by: 'a person', isTier: false, reason: fact.payload.reason ?? 'no reason given' };
    case 'integration.failed':
      return { by: 'the integration', isTier: false, reason: fact.payload.reason };
    default:
      return null;
  }
}
