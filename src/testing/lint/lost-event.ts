import type { AnyEvent } from '../../../machines/events.ts';
import type { Outstanding } from '../../runtime/fold.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';

/** What is recorded for an effect under this key, as if it were lost right after its start. Null: nothing. */
export function lostEvent({ effects }: LoopDefinition, actor: string, key: string): AnyEvent | null {
  const one: Outstanding = { effect: '1/0', key, actor, input: {}, attempt: 1, told: false };
  return effects[actor]?.interrupted?.(one, { reason: 'it was lost', kept: null }) ?? null;
}
