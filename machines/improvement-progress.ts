// What the improvement chart remembers beside what every chart does, and the guards and actions over that.
import type { ImprovementEvent, Recorded } from './events.ts';
import { MAX_DISCOVERIES } from './improvement-facts.ts';
import { asksPerson, ImprovementOptions, ruleValue } from './improvement-options.ts';
import * as life from './life.ts';
import { addSpend } from './outcome.ts';

/** What an iteration has come to. */
export type IterationType = 'improvement-found' | 'no-candidates' | 'no-improvements' | 'error';

/** An experiment under way: it has begun, and what it made was neither kept nor refused. */
export interface Lane {
  readonly candidate: string;
  /** `begun`: without a worktree yet. `built`: its work is done. `failed`: by an error. */
  readonly phase: 'begun' | 'building' | 'built' | 'failed';
  /** The version of the event by which it came to this phase. */
  readonly version: number;
}

export interface ImprovementContext extends life.Life {
  /** Iterations started. */
  readonly iterations: number;
  /** Iterations that ended with something integrated. */
  readonly improvements: number;
  /** The checks on the tree of the loop, where they have passed since the newest of them. */
  readonly kept: { readonly version: number; readonly workspace: string } | null;
  /** The newest of them, 1-based. 0: there is none. */
  readonly improvedAt: number;
  /** Candidates of this iteration that were not tried yet, by their ids, in order. */
  readonly queue: readonly string[];
  /** Experiments under way, in the order of their candidates. The first is evaluated once it is built. */
  readonly lanes: readonly Lane[];
  /** Candidates whose work was done beside that of one before them that won, by their ids. */
  readonly spares: readonly string[];
  /** Experiments started. */
  readonly experiments: number;
  /** The candidate that is evaluated or integrated, by its id. */
  readonly candidate: string | null;
  /** SHA-256 of what its experiment has changed. */
  readonly modification: string | null;
  /** What this iteration has come to, and the version that shows it. Null: it runs. */
  readonly result: { readonly type: IterationType; readonly version: number } | null;
  /** Nothing was found, and nothing else will be: neither the tree nor a source changes. */
  readonly isExhausted: boolean;
  /** A source may find something else in the same tree. */
  readonly canChange: boolean;
  /** Remarks of the first of the experiments under way. */
  readonly notes: number;
  /** A person decides about every integration. */
  readonly asksPerson: boolean;
  /** The share of the budget at which the loop ends. */
  readonly budgetShare: number;
  /** Each candidate names its witness before it is tried. */
  readonly witnesses: boolean;
  readonly phases: ImprovementOptions['phases'];
}

/** How many remarks on its way one experiment may record: tiers, captures, checks. */
export const MAX_NOTES = 500;

export type On = { context: ImprovementContext; event: Recorded<ImprovementEvent> };

export function born(opening: life.Opening | undefined): ImprovementContext {
  const options = ImprovementOptions.parse(opening?.started.payload.settings.options ?? {});
  const { phases } = options;
  return {
    ...life.born(opening),
    iterations: 0,
    improvements: 0,
    kept: null,
    improvedAt: 0,
    queue: [],
    lanes: [],
    spares: [],
    experiments: 0,
    candidate: null,
    modification: null,
    result: null,
    isExhausted: false,
    canChange: false,
    notes: 0,
    asksPerson: asksPerson(options),
    budgetShare: ruleValue(options, 'budget-exceeded') ?? 1,
    witnesses: options.witnesses === true,
    phases,
  };
}

/** Which effect an event of this loop is the result of. */
export const settles: Readonly<Record<string, string>> = {
  'discovery.completed': 'discovery',
  'discovery.interrupted': 'discovery',
  'filter.completed': 'filtering',
  'filter.interrupted': 'filtering',
  'plans.written': 'planning',
  'plans.interrupted': 'planning',
  'experiment.prepared': 'preparing',
  'experiment.refused': 'preparing',
  'preparation.interrupted': 'preparing',
  'evaluation.completed': 'evaluation',
  'evaluation.interrupted': 'evaluation',
  'integration.approved': 'integrationRuling',
  'integration.denied': 'integrationRuling',
  'approval.interrupted': 'integrationRuling',
  'integration.completed': 'integration',
  'integration.failed': 'integration',
  'integration.interrupted': 'integration',
};

const effectOf = (event: Recorded<ImprovementEvent>) => ({ actor: settles[event.type] ?? life.actorOf(event) ?? '' });

export const isPending = ({ context, event }: On): boolean => life.isPending({ context, event }, effectOf(event));

export const complete = ({ context, event }: On) => life.complete({ context, event }, effectOf(event));

/** How many candidates an iteration may try. */
export const mostCandidates = ({ phases: { filter } }: Pick<ImprovementContext, 'phases'>): number =>
  filter.enabled ? filter.maxCandidates : MAX_DISCOVERIES;

/** A candidate of this iteration is still to be tried. */
export const hasNext = ({ result, queue }: ImprovementContext): boolean => result === null && queue.length > 0;

export function countIteration({ context, event }: On) {
  if (event.type !== 'iteration.started') return {};
  return {
    ...life.reserveFor(context, 'discovery', event.payload.reserved),
    iterations: context.iterations + 1,
    queue: [],
    lanes: [],
    candidate: null,
    modification: null,
    result: null,
    isExhausted: false,
    notes: 0,
    steered: null,
    verification: null,
    isBeginning: false,
    warnings: 0,
  };
}

export function noteDiscoveries({ event }: Pick<On, 'event'>) {
  if (event.type !== 'discovery.completed') return {};
  const { discoveries, canChange } = event.payload;
  if (discoveries.length > 0) return { canChange };
  return { canChange, isExhausted: !canChange, ...missed('no-candidates', event.version) };
}

/** The most that scores of a model may use. Rules use nothing. */
export function setAsideFilter({ context, event }: On) {
  const found = event.type === 'discovery.completed' ? event.payload.discoveries.length : 0;
  const { enabled, estimateTokens } = context.phases.filter;
  return life.setAside({ context }, { actor: 'filtering', tokens: enabled ? found * estimateTokens : 0 });
}

/** A plan may use this part of the estimate of its experiment. */
const PLAN_PART = 0.1;

/** What one plan may use, in tokens, its input included. */
export const planTokens = (estimateTokens: number): number => Math.ceil(estimateTokens * PLAN_PART);

/** The most that the plans of the experiments that begin may use, beside the shares of these experiments. */
export function setAsidePlans(context: ImprovementContext) {
  const { estimateTokens } = context.phases.experiment;
  const plans = context.lanes.filter(({ phase }) => phase === 'begun').length;
  return life.setAside({ context }, { actor: 'planning', tokens: plans * planTokens(estimateTokens) });
}

/** The most that a batch of plans may use. */
export const reserveBatch = ({ context, event }: On) =>
  event.type === 'batch.submitted' ? life.reserveFor(context, 'planning', event.payload.reserved) : {};

export function noteCandidates({ context, event }: On) {
  if (event.type !== 'filter.completed') return {};
  const { candidates, usage } = event.payload;
  const isExhausted = !context.canChange && usage === undefined;
  if (candidates.length === 0) return { isExhausted, ...missed('no-candidates', event.version) };
  if (context.phases.experiment.enabled) {
    const queue = candidates.slice(0, mostCandidates(context)).map(({ id }) => id);
    return { queue, spares: context.spares.filter((one) => queue.includes(one)) };
  }
  return { isExhausted, ...missed('no-improvements', event.version) };
}

export function noteExperiment({ context, event }: On) {
  return event.type === 'child.settled' ? { spend: addSpend(context.spend, event.payload.spend) } : {};
}

/** A person who aborts an experiment aborts the loop; an error ends the iteration, and its cost stays. */
export function noteExperimentAbort({ event }: Pick<On, 'event'>) {
  if (event.type !== 'child.settled' || event.payload.outcome.ending !== 'abort') return {};
  return { abort: { cause: event.payload.outcome.cause, reason: null, version: event.version } };
}

export const isOfCandidate = ({ context, event }: On): boolean =>
  'candidate' in event.payload && event.payload.candidate === context.candidate;

/** A remark of the experiment under way. There are at most so many. */
export const mayNote = ({ context, event }: On): boolean =>
  context.notes < MAX_NOTES && (!('candidate' in event.payload) || isOfCandidate({ context, event }));

export const countNote = ({ context }: { context: ImprovementContext }) => ({ notes: context.notes + 1 });

export const passed = ({ context, event }: On): boolean =>
  isOfCandidate({ context, event }) && event.type === 'evaluation.completed' && event.payload.passed;

/** A ruling counts for exactly the change that is asked about. */
export const isThatCandidate = ({ context, event }: On): boolean =>
  (event.type === 'integration.approved' || event.type === 'integration.denied') &&
  event.payload.digest === context.modification;

export const noteBuilt = ({ event }: On) =>
  event.type === 'candidate.built' ? { modification: event.payload.modification } : {};

/** The candidate is not kept. After the last one, the iteration is over. */
export const noteMiss = ({ context, event }: On) =>
  context.queue.length > 0 ? {} : missed('no-improvements', event.version);

export function noteIntegration({ context, event }: On) {
  if (event.type !== 'integration.completed') return {};
  const { verification } = context;
  const { to, tree } = event.payload;
  const isProven = verification?.passed === true && verification.workspace === tree;
  return {
    ...(to === 'head' ? { kept: isProven ? { version: verification.version, workspace: tree } : null } : {}),
    improvements: context.improvements + 1,
    improvedAt: context.iterations,
    queue: [],
    result: { type: 'improvement-found' as const, version: event.version },
  };
}

export const missed = (type: IterationType, version: number) => ({
  queue: [],
  result: { type, version },
});
