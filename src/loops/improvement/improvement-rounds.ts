import { hasNext, type ImprovementContext } from '../../../machines/improvement-progress.ts';
import { isLimited, leftFor } from '../../budget/allowance.ts';
import type { AnyEvent, Share } from '../../../machines/events.ts';
import type { RunContext } from '../../kernel/effect-handlers.ts';
import { lifeOf } from '../../kernel/fold.ts';
import type { Rounds } from '../../kernel/rounds.ts';
import { ATTEMPT_STARTED, attemptRounds } from '../attempt-loop.ts';

const EXPERIMENT_STARTED = 'experiment.started';

/** A decision to continue begins the next candidate of the iteration, or else the next iteration. */
export const improvementRounds: Rounds = {
  ...attemptRounds,
  counters: ['notes'],
  begin: (context: ImprovementContext, how) => {
    const [candidate] = context.queue;
    if (!hasNext(context) || candidate === undefined) return attemptRounds.begin(context, how);
    const { reserved } = how;
    return { type: EXPERIMENT_STARTED, payload: { candidate, ...(reserved ? { reserved } : {}) } };
  },
};

/** What the discovery, or the experiment, that begins may use: its estimate, and no more than is left. */
export function reserveForPhase({ state }: RunContext): Share | null {
  const context = lifeOf(state) as ImprovementContext;
  const { experiment, discovery } = context.phases;
  const isExperiment = hasNext(context);
  const left = leftFor(context, isExperiment ? 'agent' : 'discovery');
  if (!isLimited(left)) return null;
  const { estimateTokens } = isExperiment ? experiment : discovery;
  return {
    tokens: left.tokens === null ? estimateTokens : Math.min(left.tokens, estimateTokens),
    nanoUsd: left.nanoUsd,
  };
}

/** The reservation is recorded in the event that begins the phase. */
export function setsAside({ type, payload }: AnyEvent): Readonly<Record<string, Share>> {
  const { reserved } = payload as { readonly reserved?: Share };
  if (!reserved) return {};
  if (type === ATTEMPT_STARTED) return { discovery: reserved };
  if (type === 'batch.submitted') return { planning: reserved };
  return type === EXPERIMENT_STARTED ? { agent: reserved } : {};
}
