import type { EventOf } from '../../../../machines/events.ts';
import { ImprovementOptions } from '../../../../machines/improvement-options.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';
import {
  endedBy,
  failedBy,
  leftBehind,
  type Result,
  stoppedBy,
  type ImprovementStats,
  type IterationResult,
  type RecordedModification,
  type PhaseName,
} from './iteration-result.ts';
import { NOTHING_SPENT, phaseAfter, phaseSpentIn, type Spent, withSpent } from './phase-spend.ts';

/** After these a run is not stopped any more. */
const GOES_ON: ReadonlySet<string> = new Set(['run.continued', 'iteration.started', 'experiment.started']);

/** An iteration, over or under way. */
interface Iteration {
  readonly number: number;
  readonly startedAt: string;
  spent: Spent;
  idleMs: number;
  /** Candidates that are neither kept nor refused, in their order. */
  open: readonly string[];
  /** Those of them whose experiments have begun. */
  readonly begun: Set<string>;
  /** Those of them whose worktrees are still to be made: until then no experiment is looked at. */
  readonly unprepared: Set<string>;
  /** The errors of experiments that are not the turn of their candidates yet. */
  readonly failed: Map<string, Result>;
  built: RecordedModification | null;
  /** The candidate that has passed its evaluation. Null: none has, or it was not kept. */
  won: string | null;
  /** Null: it is under way. */
  over: (Result & { readonly at: string }) | null;
}

/**
 * The iterations of a run of the improvement loop and their costs, folded from its facts. Every token that the run
 * counts is in one phase of one iteration; only a run that ends before its first iteration has spent outside of one.
 * Where its budget had no room for the first, that counts as an iteration that exceeded the budget.
 *
 * @example
 * const history = new ImprovementHistory();
 * for await (const envelope of log.read(run)) history.observe(factOf(envelope));
 * history.stats(); // { iterations: 7, improvements: 3, totalCost: 812_400, improvementRate: 0.43 }
 */
export class ImprovementHistory {
  readonly #iterations: Iteration[] = [];
  #spent: Spent = NOTHING_SPENT;
  #phase: PhaseName = 'discovery';
  #stopped: Result | null = null;
  #experiments = true;

  /** What the whole run has spent. */
  get spent(): Spent {
    return this.#spent;
  }

  /** How many iterations have begun: one, where the budget had no room for the first. */
  get begun(): number {
    return this.#iterations.length;
  }

  /** Whether no phase begins any more, unless the run is continued. */
  get isStopped(): boolean {
    return this.#stopped !== null;
  }

  /** The iterations that are over, oldest first. */
  iterations(): readonly IterationResult<RecordedModification>[] {
    return this.#iterations.flatMap((one) => (one.over ? [resultOf(one, one.over)] : []));
  }

  stats(): ImprovementStats {
    const over = this.#iterations.flatMap((one) => one.over ?? []);
    const improvements = over.filter(({ type }) => type === 'improvement-found').length;
    return {
      iterations: over.length,
      improvements,
      totalCost: this.#spent.cost.total,
      improvementRate: over.length === 0 ? 0 : improvements / over.length,
    };
  }

  /** Takes each fact of the run once, in order. */
  observe(fact: Fact): void {
    if (fact.type === 'run.started') {
      this.#experiments = ImprovementOptions.parse(fact.payload.settings.options ?? {}).phases.experiment.enabled;
    }
    if (fact.type === 'iteration.started') this.#begin(fact.at);
    if (this.begun === 0 && isBudgetEnd(fact)) this.#begin(fact.at);
    const phase = phaseSpentIn(fact, this.#phase);
    this.#spent = withSpent(this.#spent, phase, fact);
    this.#phase = phaseAfter(fact, this.#phase);
    const iteration = this.#iterations.at(-1);
    if (iteration) {
      iteration.spent = withSpent(iteration.spent, phase, fact);
      if (iteration.over === null) this.#note(iteration, fact);
    }
    this.#stopped = GOES_ON.has(fact.type) ? null : (this.#stopped ?? stoppedBy(fact));
  }

  #begin(at: string): void {
    const before = this.#iterations.at(-1);
    if (before) before.over ??= { ...leftBehind(this.#stopped), at };
    this.#iterations.push({
      number: this.begun + 1,
      startedAt: at,
      spent: NOTHING_SPENT,
      idleMs: 0,
      open: [],
      begun: new Set(),
      unprepared: new Set(),
      failed: new Map(),
      built: null,
      won: null,
      over: null,
    });
  }

  #note(iteration: Iteration, fact: Fact): void {
    switch (fact.type) {
      case 'run.resumed':
      case 'run.continued':
        iteration.idleMs += fact.payload.idleMs;
        break;
      case 'filter.completed':
        iteration.open = this.#experiments ? fact.payload.candidates.map(({ id }) => id) : [];
        break;
      case 'experiment.started':
        iteration.begun.add(fact.payload.candidate);
        if (!fact.payload.built) iteration.unprepared.add(fact.payload.candidate);
        iteration.failed.delete(fact.payload.candidate);
        iteration.won = null;
        break;
      case 'experiment.prepared':
      case 'experiment.refused':
        iteration.unprepared.delete(fact.payload.candidate);
        break;
      case 'candidate.built':
        iteration.built = modificationOf(fact);
        break;
      case 'evaluation.completed':
        iteration.won = fact.payload.passed ? fact.payload.candidate : null;
        break;
      case 'child.settled':
        noteError(iteration, fact);
        break;
    }
    const isStopped = this.#stopped === null && stoppedBy(fact) !== null;
    if (isStopped) iteration.unprepared.clear();
    // The first of those under way is lost; the others may be tried again.
    const lost = isStopped ? iteration.open.find((one) => iteration.begun.has(one)) : undefined;
    const missed = lost ?? missedIn(fact, iteration);
    iteration.open = iteration.open.filter((one) => one !== missed);
    if (fact.type === 'integration.failed' || fact.type === 'integration.denied') iteration.won = null;
    // It is no longer the turn of anyone: an error of an experiment behind the lost one has ended nothing.
    const result = isStopped ? null : this.#resultOf(iteration, fact);
    if (result) iteration.over = { ...result, at: fact.at };
  }

  #resultOf({ open, failed, unprepared }: Iteration, fact: Fact): Result | null {
    // A change that is integrated is kept, also while the run stops.
    if (fact.type === 'integration.completed') return { type: 'improvement-found' };
    if (fact.type === 'decision.made' && fact.payload.sink) {
      return endedBy(fact.payload.sink, fact.payload.reason, this.#stopped);
    }
    if (this.#stopped) return null;
    if (foundNothing(fact)) return { type: 'no-candidates' };
    // An error ends the iteration when it is the turn of its candidate.
    const [first] = open;
    if (first === undefined) return isMiss(fact, this.#experiments) ? { type: 'no-improvements' } : null;
    return unprepared.size > 0 ? null : (failed.get(first) ?? null);
  }
}

const isBudgetEnd = ({ type, payload }: Fact): boolean => type === 'decision.made' && payload.sink?.ending === 'budget';

function resultOf(
  { number, startedAt, spent, idleMs, built }: Iteration,
  { at, ...result }: NonNullable<Iteration['over']>,
): IterationResult<RecordedModification> {
  return {
    iterationNumber: number,
    ...result,
    ...spent,
    ...(result.type === 'improvement-found' && built ? { modification: built } : {}),
    duration: Math.max(0, Date.parse(at) - Date.parse(startedAt) - idleMs),
    timestamp: at,
  };
}

/** What is stopped for one that has won has failed by no error of its own. */
function noteError({ failed, won }: Iteration, fact: Fact & EventOf<'child.settled'>): void {
  const error = won === null ? failedBy(fact) : null;
  if (error) failed.set(fact.payload.lane ?? '', error);
}

/** The candidate that is not tried any more in its iteration. What is stopped for one that has won is tried again. */
function missedIn({ type, payload }: Fact, { won }: Iteration): string | null {
  switch (type) {
    case 'experiment.refused':
    case 'integration.failed':
      return payload.candidate;
    case 'evaluation.completed':
      return payload.passed ? null : payload.candidate;
    case 'integration.denied':
      return won;
    case 'effect.interrupted':
      return won === null ? (payload.lane ?? null) : null;
    default:
      return null;
  }
}

const modificationOf = ({ payload }: EventOf<'candidate.built'>): RecordedModification => ({
  id: payload.modification,
  type: 'improvement',
  files: payload.changed.map(({ path }) => path),
  base: payload.base,
  tree: payload.tree,
});

const foundNothing = ({ type, payload }: Fact): boolean =>
  (type === 'discovery.completed' && payload.discoveries.length === 0) ||
  (type === 'filter.completed' && payload.candidates.length === 0);

/** A candidate was not kept, or candidates are only listed. */
function isMiss({ type, payload }: Fact, experiments: boolean): boolean {
  switch (type) {
    case 'filter.completed':
      return !experiments;
    case 'experiment.refused':
    case 'integration.denied':
    case 'integration.failed':
      return true;
    case 'effect.interrupted':
      return payload.actor === 'agent';
    case 'evaluation.completed':
      return !payload.passed;
    default:
      return false;
  }
}
