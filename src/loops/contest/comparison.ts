import type { ContestContext } from '../../../machines/contest-lanes.ts';
import { mostAttempts } from '../../../machines/contest-lanes.ts';
import type { EventOf } from '../../../machines/events.ts';
import type { RunContext } from '../../kernel/effect-handlers.ts';
import { lifeOf } from '../../kernel/fold.ts';
import type { RunMemory } from '../../kernel/loop-memory.ts';
import type { OwnJudgement } from '../../kernel/own-judgement.ts';
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
