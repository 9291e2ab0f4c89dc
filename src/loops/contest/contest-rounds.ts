import { attemptOf, type ContestContext, mostAttempts } from '../../../machines/contest-lanes.ts';
import type { AnyEvent, Share, EventOf } from '../../../machines/events.ts';
import { isLimited, leftFor } from '../../budget/allowance.ts';
import type { RunContext } from '../../kernel/effect-handlers.ts';
import { lifeOf } from '../../kernel/fold.ts';
import { ATTEMPT_STARTED, attemptRounds } from '../attempt-loop.ts';
import type { RunMemory } from '../../kernel/loop-memory.ts';
import type { OwnJudgement } from '../../kernel/loop-judging.ts';
import { compareAttempts } from './compare-attempts.ts';
import type { ContestMemory } from './contest-memory.ts';

type Comparison = EventOf<'attempts.compared'>['payload'];

/** Compares the attempts of a contest as they stand now, under its present limits. */
export function compared({ state }: Pick<RunContext, 'state'>, { own }: Pick<RunMemory, 'own'>): Comparison {
  const context = lifeOf(state) as ContestContext;
  const all = (own as ContestMemory).all();
  // After the change of a winner was refused, attempts that have not begun begin by a decision.
  const mayBegin = !all.some(({ isChosen, isStopped }) => isChosen || isStopped) && hasRoom(context);
  return compareAttempts(all, { mayBegin });
}

const hasRoom = (context: ContestContext): boolean => context.iterations < mostAttempts(context);

/** Compares recorded attempts again, under other limits. */
export const comparison: OwnJudgement = {
  kind: 'comparison',
  again: (_recorded, { state, memory }) => compared({ state }, memory),
  verdict: ({ leader, isDecided }: Comparison) => verdictOf(leader, isDecided),
  because: ({ because }: Comparison) => because,
  differs: 'in which attempt leads',
};

function verdictOf(leader: string | null, isDecided: boolean): string {
  if (leader === null) return isDecided ? 'none wins' : 'none leads yet';
  return isDecided ? `attempt ${leader} wins` : `attempt ${leader} leads`;
}

/** An attempt begins beside those under way, with a share of its own. */
export function admittedAttempt({ state, at }: Pick<RunContext, 'state' | 'at'>): AnyEvent {
  return attemptRounds.begin(lifeOf(state) as ContestContext, { at, reserved: reserveForLane({ state }) });
}

/** An equal part of what is left, beside those that run, for it and each attempt that may still begin. */
export function reserveForLane({ state }: Pick<RunContext, 'state'>): Share | null {
  const context = lifeOf(state) as ContestContext;
  const left = leftFor(context);
  if (!isLimited(left)) return null;
  const places = Math.max(1, mostAttempts(context) - context.iterations);
  const part = (amount: number | null) => (amount === null ? null : Math.floor(amount / places));
  return { tokens: part(left.tokens), nanoUsd: part(left.nanoUsd) };
}

/** The reservation is recorded in the event that begins the attempt. */
export function setAsideForLane({ type, payload }: AnyEvent): Readonly<Record<string, Share>> {
  if (type !== ATTEMPT_STARTED) return {};
  const { iteration, reserved } = payload as { readonly iteration: number; readonly reserved?: Share };
  return reserved ? { [attemptOf(String(iteration + 1))]: reserved } : {};
}

/** An attempt that cannot begin uses nothing. */
export function freesLane({ type, payload }: AnyEvent): readonly string[] {
  return type === 'attempt.refused' ? [attemptOf((payload as { readonly lane: string }).lane)] : [];
}
