import { agentOf, nextIsSpare, placesFor } from '../../../machines/improvement-lanes.ts';
import { roomBehind } from '../../../machines/improvement-room.ts';
import { hasNext, type ImprovementContext, planTokens } from '../../../machines/improvement-progress.ts';
import { isLimited, leftFor } from '../../budget/allowance.ts';
import type { AnyEvent, Share } from '../../../machines/events.ts';
import type { RunContext } from '../../kernel/effect-handlers.ts';
import { lifeOf } from '../../kernel/fold.ts';
import type { Rounds } from '../../kernel/loop-ranking.ts';
import { ATTEMPT_STARTED, attemptRounds } from '../attempt-loop.ts';

const EXPERIMENT_STARTED = 'experiment.started';

/** A decision to continue begins the next candidate of the iteration, or else the next iteration. */
export const improvementRounds: Rounds = {
  ...attemptRounds,
  counters: ['notes'],
  begin: (context: ImprovementContext, how) =>
    hasNext(context) ? experimentOf(context, how.reserved) : attemptRounds.begin(context, how),
};

function experimentOf(context: ImprovementContext, reserved: Share | null): AnyEvent {
  const [candidate = ''] = context.queue;
  const payload = nextIsSpare(context) ? { candidate, built: true } : { candidate, ...(reserved ? { reserved } : {}) };
  return { type: EXPERIMENT_STARTED, payload };
}

/** Another experiment begins beside those under way, with a share of its own. */
export function admittedExperiment({ state }: Pick<RunContext, 'state'>): AnyEvent {
  const context = lifeOf(state) as ImprovementContext;
  return experimentOf(context, reservedForExperiment(context));
}

/** What the discovery, or the experiment, that begins may use: its estimate, and no more than is left. */
export function reserveForPhase({ state }: Pick<RunContext, 'state'>): Share | null {
  const context = lifeOf(state) as ImprovementContext;
  if (hasNext(context)) return reservedForExperiment(context);
  return reserved(leftFor(context, 'discovery'), context.phases.discovery.estimateTokens);
}

/** An experiment may use so many times its estimate, where the budget has room. */
const MAX_GROWTH = 10;

/**
 * The estimate is what has to be there. What is left beyond it is divided among the experiments that begin, without the
 * plans of these: an ordinary agent often needs more than was estimated.
 */
function reservedForExperiment(context: ImprovementContext): Share | null {
  const { estimateTokens } = context.phases.experiment;
  const places = placesFor(context);
  const left = leftBefore(context);
  const share = reserved(left, estimateTokens);
  if (share === null) return null;
  const room = Math.floor((left.tokens ?? Infinity) / places) - planTokens(estimateTokens);
  // Money has no estimate.
  const nanoUsd = share.nanoUsd === null ? null : Math.floor(share.nanoUsd / places);
  return { tokens: Math.max(share.tokens ?? 0, Math.min(room, MAX_GROWTH * estimateTokens)), nanoUsd };
}

/** Without what the phases behind the next experiments need. */
function leftBefore(context: ImprovementContext): Share {
  const { tokens, nanoUsd } = leftFor(context);
  const behind = roomBehind(context.phases);
  return {
    tokens: tokens === null ? null : Math.max(0, tokens - behind.tokens),
    nanoUsd: nanoUsd === null ? null : Math.max(0, nanoUsd - behind.nanoUsd * placesFor(context)),
  };
}

/** An estimate, and no more than is left. */
function reserved(left: Share, estimateTokens: number): Share | null {
  if (!isLimited(left)) return null;
  return {
    tokens: left.tokens === null ? estimateTokens : Math.min(left.tokens, estimateTokens),
    nanoUsd: left.nanoUsd,
  };
}

/** The reservation is recorded in the event that begins the phase. */
export function setsAside({ type, payload }: AnyEvent): Readonly<Record<string, Share>> {
  const { reserved, candidate = '' } = payload as { readonly reserved?: Share; readonly candidate?: string };
  if (!reserved) return {};
  if (type === ATTEMPT_STARTED) return { discovery: reserved };
  if (type === 'batch.submitted') return { planning: reserved };
  return type === EXPERIMENT_STARTED ? { [agentOf(candidate)]: reserved } : {};
}

/** An experiment that cannot be tried uses nothing. */
export function frees({ type, payload }: AnyEvent): readonly string[] {
  if (type !== 'experiment.refused') return [];
  const { candidate = '' } = payload as { readonly candidate?: string };
  return [agentOf(candidate)];
}
