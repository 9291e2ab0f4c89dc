import type { MachineContext } from 'xstate';
import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import { functionOf, type Implementations, nameOf, paramsOf } from './implementations.ts';
import { Uncompilable } from './uncompilable.ts';

/** Whether a guard passes. Throws what the guard throws. */
export type Guard = (context: MachineContext, event: Recorded<LoopEvent>) => boolean;

/** A guard of a chart as one function. Guards made of others (`not`, `and`, `or`, `stateIn`) are left to XState. */
export function compileGuard(written: unknown, { guards }: Pick<Implementations, 'guards'>): Guard {
  const guard = functionOf('the guard', written, guards);
  if ('check' in guard) throw new Uncompilable(`the guard ${nameOf(written)} is made of others`);
  const params = paramsOf(written);
  if (params === null) return (context, event) => Boolean(guard({ context, event }, undefined));
  return (context, event) => Boolean(guard({ context, event }, params({ context, event })));
}
