// Over 300 lines because it is one reducer: what every chart remembers of a run, and the guards and actions over that.
// Loops import it as one namespace, so that a chart reads `life.isPending`.
import type { EventOf, LoopEvent, Recorded, Reservation, Share, Usage } from './events.ts';
import type { AbortCause, Fault, Outcome, Spend, Verified } from './outcome.ts';
import { addSpend, NO_SPEND } from './outcome.ts';
import { dearest } from './price.ts';
import type { Limits, RunSettings } from './settings.ts';

/** How long `decide.ending` waits for the summary and the strategy's `onLoopEnd`. */
export const ENDING_LIMIT_MS = 30_000;

/** How many warnings one step, or one iteration, may raise. */
export const MAX_WARNINGS_A_ROUND = 16;

/** The context that all loops share: counters and references, never contents. */
export interface Life {
  readonly limits: Limits;
  readonly hasChecks: boolean;
  readonly hasCi: boolean;
  readonly graceMs: number;
  /** The start of the wall-clock limit: the start of the run, moved later by its idle time. */
  readonly clockStart: string;
  /** Since when only answers of users are pending. */
  readonly waitingSince: string | null;
  readonly due: { readonly [timer in EventOf<'timer.fired'>['payload']['timer']]: string | null };
  /** Effects without a result: running, cancelled (`told`), a question to a user, or a child run that waits for one. */
  readonly pending: { readonly [actor: string]: 'owed' | 'told' | 'asked' | 'waiting' };
  readonly spend: Spend;
  /** Reservations by effect. One counts as spent if the real usage can no longer be known. */
  readonly reserved: { readonly [actor: string]: Share | Reservation };
  readonly abort: { readonly cause: AbortCause; readonly reason: string | null; readonly version: number } | null;
  readonly fault: { readonly fault: Fault; readonly version: number } | null;
  readonly deadlinePassed: boolean;
  readonly workspace: string | null;
  /** The checks on the base: null if they are not run on it, `owed` until the first decision asks for them. */
  readonly baseline: 'owed' | 'running' | Baseline | null;
  /** The result of the checks, as long as the work has not changed since. */
  readonly verification: (Verified & { readonly passed: boolean }) | null;
  /** What a person is asked about changed grounds, at most once in a round: their digest. */
  readonly dispute: { readonly digest: string; readonly isRuled: boolean } | null;
  /** The decision for another round is recorded, and the event that begins the round is not yet. */
  readonly isBeginning: boolean;
  /** How many were raised since the newest step or iteration began. */
  readonly warnings: number;
  /** The version of the newest `run.steered` that no prompt contains yet. */
  readonly steered: number | null;
  /** Set by the decision that ends the run. */
  readonly outcome: Outcome | null;
}

/** How the checks went on the tree that the run began with. */
export interface Baseline {
  readonly passed: boolean;
  readonly workspace: string;
  readonly version: number;
}

/** The event that opened the run. A machine's context factory is also called without it. */
export interface Opening {
  readonly started: Recorded<EventOf<'run.started'>>;
}

type On = { context: Life; event: Recorded<LoopEvent> };
type Answerer = { readonly actor: string };

export function born(opening: Opening | undefined): Life {
  const settings = opening?.started.payload.settings;
  const limits = settings?.limits ?? { maxSteps: 0, maxToolCalls: 0, maxTokens: 0, maxIterations: 0, maxTimeMs: 0 };
  const clockStart = opening?.started.at ?? '1970-01-01T00:00:00.000Z';
  return {
    limits,
    hasChecks: (settings?.checks.length ?? 0) > 0,
    hasCi: settings?.ci != null,
    graceMs: settings?.graceMs ?? 0,
    clockStart,
    waitingSince: null,
    due: { deadline: dueAfter(clockStart, limits.maxTimeMs), grace: null, ending: null, retry: null },
    pending: {},
    spend: NO_SPEND,
    reserved: summaryReserve(settings?.summaryTokens, settings?.prices),
    abort: null,
    fault: null,
    deadlinePassed: false,
    workspace: null,
    baseline: settings?.proof && settings.checks.length > 0 ? 'owed' : null,
    verification: null,
    dispute: null,
    isBeginning: false,
    warnings: 0,
    steered: null,
    outcome: null,
  };
}

/** Time is data here: it comes from an event and goes into the context. Machines read no clock. */
function dueAfter(at: string, ms: number | null): string | null {
  return ms === null ? null : new Date(Date.parse(at) + ms).toISOString();
}

/** The id under which every chart invokes its judge. */
export const JUDGE = 'judge';

/** The actor of each result that does not name it: a run has one such effect at a time. */
const SINGLE_ACTORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'decision.made': JUDGE,
    'summary.written': 'summary',
    'strategy.ended': 'strategy',
    'calls.admitted': 'admission',
    'model.completed': 'model',
    'model.failed': 'model',
    'model.interrupted': 'model',
    'model.limited': 'model',
    'context.filled': 'model',
    'context.compacted': 'compaction',
    'workspace.captured': 'capture',
    'workspace.failed': 'capture',
    'baseline.taken': 'checks',
    'verification.completed': 'checks',
    'grounds.approved': 'groundsRuling',
    'grounds.denied': 'groundsRuling',
    'state_file.written': 'stateFile',
    'state_file.kept': 'stateFile',
    'state_file.edited': 'stateFile',
    'state_file.damaged': 'stateFile',
    'state_file.interrupted': 'stateFile',
    'state_file.revisited': 'stateFileGlance',
    'state_file.closed': 'stateFileClosing',
    'edit.approved': 'stateFileRuling',
    'edit.denied': 'stateFileRuling',
    'edit.withdrawn': 'stateFileRuling',
    'maximum.raised': 'weighing',
    'maximum.held': 'weighing',
  } satisfies { readonly [Type in LoopEvent['type']]?: string }),
);

/** The id of the actor that an event is the result of. Null for events that are no results. */
export function actorOf({ type, payload }: LoopEvent): string | null {
  switch (type) {
    case 'timer.fired':
      return payload.timer;
    case 'tool.completed':
    case 'tool.failed':
    case 'tool.interrupted':
    case 'person.answered':
    case 'server.asked':
      return `call.${payload.callId}`;
    case 'server.answered':
      return inLane('server', payload.callId);
    case 'child.settled':
      return payload.callId === undefined ? inLane('agent', payload.lane) : `call.${payload.callId}`;
    case 'effect.interrupted':
      return inLane(payload.actor, payload.lane);
    default:
      return SINGLE_ACTORS.get(type) ?? null;
  }
}

/** The id of an effect, where a loop may have several of its kind at once. */
export const inLane = (actor: string, lane: string | undefined): string =>
  lane === undefined ? actor : `${actor}.${lane}`;

const answererIn = (event: LoopEvent): Answerer => ({ actor: actorOf(event) ?? '' });

/** Marks an effect as pending: the run cannot end before its result. `params.actor` is the id of the effect. */
export const awaitResult = ({ context }: { context: Life }, { actor }: Answerer) => ({
  pending: { ...context.pending, [actor]: 'owed' as const },
});

/**
 * Marks a question to a user as pending: while nothing else is, the run waits. @public For charts of other loops,
 * through `lifeFor`.
 */
export const ask = ({ context }: { context: Life }, { actor }: Answerer) => ({
  pending: { ...context.pending, [actor]: 'asked' as const },
});

/** Completes a pending effect. `params.actor` is needed for a loop's own events, which do not name their effect. */
export function complete({ context, event }: On, { actor }: Answerer = answererIn(event)) {
  const { [actor]: _, ...pending } = context.pending;
  if (isAskedAgain(event)) return { pending };
  const { [actor]: _free, ...reserved } = context.reserved;
  return { pending, reserved };
}

/** Whether the same answer is asked for again, which keeps its reservation. */
export const isAskedAgain = ({ type, payload }: LoopEvent): boolean =>
  type === 'model.limited' ||
  type === 'context.filled' ||
  (type === 'model.interrupted' && payload.cause === undefined);

/** Reserves the share that an event carries, if it carries one. */
export const reserveFor = ({ reserved }: Life, actor: string, share: Share | Reservation | undefined) => ({
  reserved: share ? { ...reserved, [actor]: share } : reserved,
});

/**
 * Reserves the most that an effect may use: so many tokens, and no more than is left of a limited budget.
 * `params.actor` is the id of the effect; its result frees the reservation, see `complete`.
 * @public For charts of other loops, through `lifeFor`.
 */
export function setAside(
  { context }: { context: Life },
  { actor, tokens }: { readonly actor: string; readonly tokens: number },
) {
  const {
    limits: { maxTokens, maxCostNanoUsd = null },
    spend,
  } = context;
  const { [actor]: _own, ...others } = context.reserved;
  if (maxTokens === null && maxCostNanoUsd === null) return { reserved: others };
  const held = (unit: 'tokens' | 'nanoUsd') =>
    Object.values(others).reduce((sum, share) => sum + (share[unit] ?? 0), 0);
  const left = (cap: number, spent: number, unit: 'tokens' | 'nanoUsd') => Math.max(0, cap - spent - held(unit));
  const most =
    maxTokens === null ? null : Math.min(tokens, left(maxTokens, spend.inputTokens + spend.outputTokens, 'tokens'));
  const nanoUsd = maxCostNanoUsd === null ? null : left(maxCostNanoUsd, spend.costNanoUsd ?? 0, 'nanoUsd');
  return { reserved: { ...others, [actor]: { tokens: most, nanoUsd } } };
}

/**
 * What a run sets aside at its start for the summary at its end. Input and output may have any share of it, so the cost
 * is counted at the highest price.
 */
export function summaryReserve(tokens = 0, prices: RunSettings['prices'] = {}): Life['reserved'] {
  if (tokens === 0) return {};
  const nano = Object.values(prices)
    .map(dearest)
    .map(({ input, output }) => Math.max(input, output));
  return { summary: { tokens, nanoUsd: nano.length === 0 ? null : Math.ceil(tokens * Math.max(...nano)) } };
}

/** Marks every pending effect as cancelled: the host then stops those that run. */
export const cancelAll = ({ context }: { context: Life }) => ({
  pending: Object.fromEntries(Object.keys(context.pending).map((actor) => [actor, 'told' as const])),
});

export const isPending = ({ context, event }: On, { actor }: Answerer = answererIn(event)) => actor in context.pending;
/** A user's answer is valid only for a pending question. */
export const isAsked = ({ context, event }: On) => context.pending[actorOf(event) ?? ''] === 'asked';
/** After the final decision no prompt is built any more, so steering is refused. */
export const isUndecided = ({ context }: { context: Life }) => context.outcome === null;
export const nothingPending = ({ context }: { context: Life }) => Object.keys(context.pending).length === 0;
export const onlyPersonsPending = ({ context }: { context: Life }) => {
  const pending = Object.values(context.pending);
  return pending.length > 0 && pending.every((how) => how === 'asked' || how === 'waiting');
};
/** After an abort that has cut the checks on the base short, no round begins. */
export const goesOn = ({ context, event }: On) =>
  event.type === 'decision.made' && event.payload.action === 'continue' && context.baseline !== 'running';
export const ends = ({ event }: On) => event.type === 'decision.made' && event.payload.action === 'stop';
/** Before its first round, a run knows how the checks go without any work. */
export const needsBaseline = ({ context, event }: On) => goesOn({ context, event }) && context.baseline === 'owed';
export const startBaseline = () => ({ baseline: 'running' as const });
/** One decision begins one round, so the event that begins it is accepted once. */
export const beginRound = (on?: On) => ({ isBeginning: true, dispute: null, ...(on ? countUsage(on) : {}) });
/** Warnings are for users: no decision is based on them, and too many in one round are refused. */
export const mayWarn = ({ context }: { context: Life }) => context.warnings < MAX_WARNINGS_A_ROUND;
export const countWarning = ({ context }: { context: Life }) => ({ warnings: context.warnings + 1 });

/**
 * The most rounds that a run can have under its cap and its other limits: every round costs at least a token and a
 * millisecond. At least one, because even a loop of zero steps answers once.
 */
export function mostRounds(cap: number | null, { maxTokens, maxTimeMs }: Limits): number {
  const bounds = [cap, maxTokens, maxTimeMs].filter((bound) => bound !== null);
  return Math.max(1, Math.min(...bounds));
}
export const firedBy =
  (timer: string) =>
  ({ event }: On) =>
    event.type === 'timer.fired' && event.payload.timer === timer;
export const endsIn =
  (ending: Outcome['ending']) =>
  ({ context }: { context: Life }) =>
    context.outcome?.ending === ending;

/** The first abort wins: a second one changes nothing, and gives no further grace. */
export function noteAbort({ context, event }: On) {
  if (event.type !== 'abort.requested' || context.abort) return {};
  return { abort: { ...event.payload, version: event.version } };
}

export const noteSteering = ({ event }: On) => ({ steered: event.version });

/** The usage that an event carries, or null. */
export const usageOf = ({ payload }: LoopEvent): Usage | null => ('usage' in payload && payload.usage) || null;

/** The spend after a model call, finished or not. */
export function addUsage(spend: Spend, { inputTokens, outputTokens, estimated, cost }: Usage): Spend {
  const tokens = { inputTokens, outputTokens, toolCalls: 0, steps: 0 };
  return addSpend(spend, {
    ...tokens,
    ...(cost ? { costNanoUsd: cost.nanoUsd } : {}),
    ...(estimated ? { estimatedTokens: inputTokens + outputTokens } : {}),
  });
}

export function countUsage({ context, event }: On) {
  const usage = usageOf(event);
  return usage ? { spend: addUsage(context.spend, usage) } : {};
}

/** The spend with the whole token budget used up. */
export function spentOut({ limits, spend }: Life): Spend {
  const left = (limits.maxTokens ?? 0) - spend.inputTokens - spend.outputTokens;
  return { ...spend, outputTokens: spend.outputTokens + Math.max(0, left) };
}

export const startGrace = ({ context, event }: On) => ({
  due: { ...context.due, grace: dueAfter(event.at, context.graceMs) },
});

export const startEnding = ({ context, event }: On) => ({
  due: { ...context.due, ending: dueAfter(event.at, ENDING_LIMIT_MS) },
});

export function noteDecision({ context, event }: On) {
  if (event.type !== 'decision.made' || !event.payload.sink) return {};
  return { outcome: event.payload.sink, ...countUsage({ context, event }) };
}

export function noteFault({ event }: On) {
  return 'fault' in event.payload && event.payload.fault
    ? { fault: { fault: event.payload.fault, version: event.version } }
    : {};
}

export function noteCapture({ event }: On) {
  return event.type === 'workspace.captured' ? { workspace: event.payload.hash } : {};
}

/** A base that cannot be checked is a fault. */
export function noteBaseline({ event }: On) {
  if (event.type !== 'baseline.taken') return {};
  const { passed, workspace, fault } = event.payload;
  const { version } = event;
  return { baseline: { passed, workspace, version }, ...(fault ? { fault: { fault, version } } : {}) };
}

/** Without configured checks nothing is verified, even if `ci` ran. */
export function noteVerification({ context, event }: On) {
  if (event.type !== 'verification.completed' || event.payload.levels.length === 0) return {};
  const { passed, workspace, proof } = event.payload;
  const verification = { passed, workspace, version: event.version };
  if (!isDisputed({ context, event })) return { verification };
  return { verification, dispute: { digest: proof?.dispute?.digest ?? '', isRuled: false } };
}

/** The checks run again, and know of it. */
export const noteRuling = ({ context }: { context: Life }) => ({
  dispute: context.dispute && { ...context.dispute, isRuled: true },
});

/** What the work changed of its grounds decides, and not for the first time. A ruling is the last of its round. */
export const isDisputed = ({ context, event }: On): boolean =>
  context.dispute === null && event.type === 'verification.completed' && event.payload.proof?.dispute?.is === 'asked';

/** A person's ruling counts for exactly the changes that are asked about. */
export const isThatDispute = ({ context, event }: On): boolean =>
  isAsked({ context, event }) &&
  (event.type === 'grounds.approved' || event.type === 'grounds.denied') &&
  event.payload.digest === context.dispute?.digest;

/** Idle time counts towards no limit: the start of the clock and all due times move later by it. */
function leaveOut(context: Life, idleMs: number, limits = context.limits) {
  const clockStart = dueAfter(context.clockStart, idleMs) ?? context.clockStart;
  const { due } = context;
  const later = (time: string | null) => time && dueAfter(time, idleMs);
  const deadline = dueAfter(clockStart, limits.maxTimeMs);
  return { clockStart, due: { ...due, deadline, grace: later(due.grace), ending: later(due.ending) } };
}

export function leaveOutIdle({ context, event }: On) {
  return event.type === 'run.resumed' ? leaveOut(context, event.payload.idleMs) : {};
}

export const startWaiting = ({ event }: On) => ({ waitingSince: event.at });

export function leaveOutWaiting({ context, event }: On) {
  if (!context.waitingSince) return {};
  return { waitingSince: null, ...leaveOut(context, Date.parse(event.at) - Date.parse(context.waitingSince)) };
}

export const isWaiting = ({ context }: { context: Life }) => context.waitingSince !== null;

/** It was cut short, or could not be taken. */
const isBaselineLost = ({ baseline, fault }: Life): boolean =>
  baseline === 'running' || (typeof baseline === 'object' && baseline !== null && baseline.version === fault?.version);

/** A continuation starts from the same events under other limits, without the abort, fault or deadline before it. */
export function continueUnder({ context, event }: On) {
  if (event.type !== 'run.continued') return {};
  const { limits, idleMs } = event.payload;
  // A workspace without a hash may have changed since: outside git a verification holds for its round only.
  const verification = context.workspace === null && context.verification?.passed ? null : context.verification;
  const { summary } = context.reserved;
  const { reserved } = reserveFor({ ...context, reserved: {} }, 'summary', summary);
  return {
    limits,
    reserved,
    abort: null,
    fault: null,
    deadlinePassed: false,
    baseline: isBaselineLost(context) ? ('owed' as const) : context.baseline,
    verification,
    ...leaveOut(context, idleMs, limits),
  };
}
