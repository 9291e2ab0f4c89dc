import type { EventOf, LoopEvent, Recorded, Reservation, Share, Usage } from './events.ts';
import type { AbortCause, Fault, Outcome, Spend, Verified } from './outcome.ts';
import { addSpend, NO_SPEND } from './outcome.ts';
import { dearest } from './price.ts';
import type { Limits, RunSettings } from './settings.ts';

/** How long `decide.ending` waits for the strategy's farewell and the summary. */
export const ENDING_LIMIT_MS = 30_000;

/** How many warnings one step, or one iteration, may raise. */
export const MAX_WARNINGS_A_ROUND = 16;

/** What every loop remembers: counters and references, never contents. */
export interface Life {
  readonly limits: Limits;
  readonly hasChecks: boolean;
  readonly hasCi: boolean;
  readonly graceMs: number;
  /** When the run would have started had it never paused: the zero of its wall-clock limit. */
  readonly clockStart: string;
  /** Since when only a person is owed. */
  readonly waitingSince: string | null;
  readonly due: { readonly [timer in EventOf<'timer.fired'>['payload']['timer']]: string | null };
  /** Who still owes a result: an actor, one told to stop, a person who was asked, or a child that waits for one. */
  readonly pending: { readonly [actor: string]: 'owed' | 'told' | 'asked' | 'waiting' };
  readonly spend: Spend;
  /** What is set aside, by the actor it is for: it counts as spent where nobody will ever know better. */
  readonly reserved: { readonly [actor: string]: Share | Reservation };
  readonly abort: { readonly cause: AbortCause; readonly reason: string | null; readonly version: number } | null;
  readonly fault: { readonly fault: Fault; readonly version: number } | null;
  readonly deadlinePassed: boolean;
  readonly workspace: string | null;
  /** The checks of the work as it is now. */
  readonly verification: (Verified & { readonly passed: boolean }) | null;
  /** A round was decided on, and the fact that begins it is not recorded yet. */
  readonly isBeginning: boolean;
  /** Raised since the newest step, or iteration, has begun. */
  readonly warnings: number;
  /** The version of a person's newest words that no prompt has said yet. */
  readonly steered: number | null;
  /** Set by the decision that ends the run. */
  readonly outcome: Outcome | null;
}

/** The fact that opened the run. A machine's context factory must bear being called without. */
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
    verification: null,
    isBeginning: false,
    warnings: 0,
    steered: null,
    outcome: null,
  };
}

/** Time is data here: it comes from an event and goes into the context, nobody reads a clock. */
function dueAfter(at: string, ms: number | null): string | null {
  return ms === null ? null : new Date(Date.parse(at) + ms).toISOString();
}

/** The key that every chart asks its judge under. */
export const JUDGE = 'judge';

/** Which actor an event is the result of, by the id the machine gave it. Null for facts that answer for nobody. */
export function actorOf({ type, payload }: LoopEvent): string | null {
  switch (type) {
    case 'timer.fired':
      return payload.timer;
    case 'decision.made':
      return JUDGE;
    case 'summary.written':
      return 'summary';
    case 'strategy.ended':
      return 'strategy';
    case 'calls.admitted':
      return 'admission';
    case 'model.completed':
    case 'model.failed':
    case 'model.interrupted':
    case 'model.limited':
    case 'context.filled':
      return 'model';
    case 'context.compacted':
      return 'compaction';
    case 'tool.completed':
    case 'tool.failed':
    case 'tool.interrupted':
    case 'person.answered':
      return `call.${payload.callId}`;
    case 'workspace.captured':
    case 'workspace.failed':
      return 'capture';
    case 'verification.completed':
      return 'checks';
    case 'child.settled':
      return payload.callId === undefined ? 'agent' : `call.${payload.callId}`;
    case 'effect.interrupted':
      return payload.actor;
    default:
      return null;
  }
}

const ofOurs = (event: LoopEvent): Answerer => ({ actor: actorOf(event) ?? '' });

/** An effect that must answer before the run can end: `params.actor` is the id it was started under. */
export const owe = ({ context }: { context: Life }, { actor }: Answerer) => ({ pending: { ...context.pending, [actor]: 'owed' as const } });

/** The same of a person: while nothing else is owed, the run waits. @public For charts of other loops, through `lifeFor`. */
export const ask = ({ context }: { context: Life }, { actor }: Answerer) => ({ pending: { ...context.pending, [actor]: 'asked' as const } });

/** The results of effects of ours say whose they are. `params.actor` says it of a loop's own ones. */
export function settle({ context, event }: On, { actor }: Answerer = ofOurs(event)) {
  const { [actor]: _, ...pending } = context.pending;
  if (isAskedAgain(event)) return { pending };
  const { [actor]: _free, ...reserved } = context.reserved;
  return { pending, reserved };
}

/** The same answer is asked for once more: what is set aside for it stays so. */
export const isAskedAgain = ({ type, payload }: LoopEvent): boolean =>
  type === 'model.limited' || type === 'context.filled' || (type === 'model.interrupted' && payload.cause === undefined);

/** Sets aside what a fact says it needs; without that, nothing is. */
export const reserveFor = ({ reserved }: Life, actor: string, share: Share | Reservation | undefined) => ({
  reserved: share ? { ...reserved, [actor]: share } : reserved,
});

/**
 * Sets aside what an effect may use at most: so many tokens, and no more than is left of a limited budget. `params.actor` is
 * the id that the effect is started under; its result frees it again, see `settle`.
 * @public For charts of other loops, through `lifeFor`.
 */
export function setAside({ context }: { context: Life }, { actor, tokens }: { readonly actor: string; readonly tokens: number }) {
  const { limits: { maxTokens, maxCostNanoUsd = null }, spend } = context;
  const { [actor]: _own, ...others } = context.reserved;
  if (maxTokens === null && maxCostNanoUsd === null) return { reserved: others };
  const held = (unit: 'tokens' | 'nanoUsd') => Object.values(others).reduce((sum, share) => sum + (share[unit] ?? 0), 0);
  const left = (cap: number, spent: number, unit: 'tokens' | 'nanoUsd') => Math.max(0, cap - spent - held(unit));
  const most = maxTokens === null ? null : Math.min(tokens, left(maxTokens, spend.inputTokens + spend.outputTokens, 'tokens'));
  const nanoUsd = maxCostNanoUsd === null ? null : left(maxCostNanoUsd, spend.costNanoUsd ?? 0, 'nanoUsd');
  return { reserved: { ...others, [actor]: { tokens: most, nanoUsd } } };
}

/** All of it may go in or come out: what it costs is counted at the dearest price. */
function summaryReserve(tokens = 0, prices: RunSettings['prices'] = {}): Life['reserved'] {
  if (tokens === 0) return {};
  const nano = Object.values(prices).map(dearest).map(({ input, output }) => Math.max(input, output));
  return { summary: { tokens, nanoUsd: nano.length === 0 ? null : Math.ceil(tokens * Math.max(...nano)) } };
}

export const tellAll = ({ context }: { context: Life }) => ({
  pending: Object.fromEntries(Object.keys(context.pending).map((actor) => [actor, 'told' as const])),
});

export const isOwed = ({ context, event }: On, { actor }: Answerer = ofOurs(event)) => actor in context.pending;
/** Only who was asked can be answered for by a person. */
export const isAsked = ({ context, event }: On) => context.pending[actorOf(event) ?? ''] === 'asked';
/** Once the verdict is in, nobody reads new words. */
export const isUndecided = ({ context }: { context: Life }) => context.outcome === null;
export const nothingOwed = ({ context }: { context: Life }) => Object.keys(context.pending).length === 0;
export const onlyPersonsOwe = ({ context }: { context: Life }) => {
  const owing = Object.values(context.pending);
  return owing.length > 0 && owing.every((how) => how === 'asked' || how === 'waiting');
};
export const goesOn = ({ event }: On) => event.type === 'decision.made' && event.payload.action === 'continue';
export const ends = ({ event }: On) => event.type === 'decision.made' && event.payload.action === 'stop';
/** One decision begins one round: whatever a round may do, it may do once. */
export const beginRound = () => ({ isBeginning: true });
/** Warnings are for people to read: what comes in floods is refused, and nothing rests on it. */
export const mayWarn = ({ context }: { context: Life }) => context.warnings < MAX_WARNINGS_A_ROUND;
export const countWarning = ({ context }: { context: Life }) => ({ warnings: context.warnings + 1 });

/**
 * How many rounds a run can have under a cap of its own and whatever else limits it, however little it seems to use: no
 * round costs less than a token and a millisecond. At least one, because even a loop of zero steps answers once.
 */
export function mostRounds(cap: number | null, { maxTokens, maxTimeMs }: Limits): number {
  const bounds = [cap, maxTokens, maxTimeMs].filter((bound) => bound !== null);
  return Math.max(1, Math.min(...bounds));
}
export const firedBy = (timer: string) => ({ event }: On) => event.type === 'timer.fired' && event.payload.timer === timer;
export const endsIn = (ending: Outcome['ending']) => ({ context }: { context: Life }) => context.outcome?.ending === ending;

/** The first abort wins: a second one adds nothing, least of all more grace. */
export function noteAbort({ context, event }: On) {
  if (event.type !== 'abort.requested' || context.abort) return {};
  return { abort: { ...event.payload, version: event.version } };
}

export const noteSteering = ({ event }: On) => ({ steered: event.version });

/** What a fact says it has used, if it is of that kind. */
export const usageOf = ({ payload }: LoopEvent): Usage | null => ('usage' in payload && payload.usage) || null;

/** What an answer of the model, finished or not, adds to what is spent. */
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

/** What is spent where nothing is left of a token budget. */
export function spentOut({ limits, spend }: Life): Spend {
  const left = (limits.maxTokens ?? 0) - spend.inputTokens - spend.outputTokens;
  return { ...spend, outputTokens: spend.outputTokens + Math.max(0, left) };
}

export const startGrace = ({ context, event }: On) => ({ due: { ...context.due, grace: dueAfter(event.at, context.graceMs) } });

export const startEnding = ({ context, event }: On) => ({
  due: { ...context.due, ending: dueAfter(event.at, ENDING_LIMIT_MS) },
});

export function noteDecision({ event }: On) {
  return event.type === 'decision.made' && event.payload.sink ? { outcome: event.payload.sink } : {};
}

export function noteFault({ event }: On) {
  return 'fault' in event.payload && event.payload.fault
    ? { fault: { fault: event.payload.fault, version: event.version } }
    : {};
}

export function noteCapture({ event }: On) {
  return event.type === 'workspace.captured' ? { workspace: event.payload.hash } : {};
}

/** Where no check was configured nothing is verified, whatever else was asked. */
export function noteVerification({ event }: On) {
  if (event.type !== 'verification.completed' || event.payload.levels.length === 0) return {};
  const { passed, workspace } = event.payload;
  return { verification: { passed, workspace, version: event.version } };
}

/** Wall time leaves out what nobody worked in: the clock's zero moves by the idle span, and what is due with it. */
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

/** A continuation starts from the same facts under other limits, with nothing held against it. */
export function continueUnder({ context, event }: On) {
  if (event.type !== 'run.continued') return {};
  const { limits, idleMs } = event.payload;
  // What has no name may have become anything since: outside git a proof is good for its round.
  const verification = context.workspace === null && context.verification?.passed ? null : context.verification;
  const { summary } = context.reserved;
  const { reserved } = reserveFor({ ...context, reserved: {} }, 'summary', summary);
  return { limits, reserved, abort: null, fault: null, deadlinePassed: false, verification, ...leaveOut(context, idleMs, limits) };
}
