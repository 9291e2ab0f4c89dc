import type { ImprovementContext } from '../../../../machines/improvement-progress.ts';
import type { Discovery } from '../../../../machines/improvement-facts.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { ImprovementMemory } from '../../../loops/improvement/memory.ts';
import type { EffectRequest } from '../effects/local-effect.ts';

/** What the chart of the loop remembered when the effect was asked for. */
export const contextOf = ({ context }: Pick<EffectRequest, 'context'>): ImprovementContext =>
  lifeOf(context.state) as ImprovementContext;

export const memoryOf = ({ memory }: Pick<EffectRequest, 'memory'>): ImprovementMemory =>
  memory.judge.own as ImprovementMemory;

/** The candidate that is evaluated, or integrated. */
export function candidateOf(request: EffectRequest): Discovery {
  const { candidate } = contextOf(request);
  const found = memoryOf(request).candidate(candidate);
  if (!found)
    throw new TypeError(`${request.context.run}: ${candidate ?? 'nothing'} is no candidate of this iteration`);
  return found;
}
