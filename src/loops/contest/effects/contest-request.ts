import type { ContestContext } from '../../../../machines/contest-lanes.ts';
import type { Interruption } from '../../../kernel/effect-spec.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { ContestMemory } from '../contest-memory.ts';
import { type Effect, type EffectRequest, lossOf } from '../../shared/effect.ts';

/** What the chart of the contest remembered when the effect was asked for. */
export const contextOf = ({ context }: Pick<EffectRequest, 'context'>): ContestContext =>
  lifeOf(context.state) as ContestContext;

export const memoryOf = ({ memory }: Pick<EffectRequest, 'memory'>): ContestMemory => memory.judge.own as ContestMemory;

/** An effect that may be started again: what it makes depends on the log and the trees that it names. */
export const again = (key: string): Effect => ({
  class: 'repeatable',
  interrupted: (_, how: Interruption) => lossOf(key, how),
});
