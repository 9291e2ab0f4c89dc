import type { AnyEvent } from '../../../machines/events.ts';
import type { Outstanding } from '../../kernel/fold.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';

/** The event that is recorded for an effect under this key when it is lost right after its start. Null: none. */
export function lostEvent({ effects }: LoopDefinition, actor: string, key: string): AnyEvent | null {
  const one: Outstanding = { effect: '1/0', key, actor, input: {}, attempt: 1, told: false };
  return effects[actor]?.interrupted?.(one, { reason: 'it was lost', kept: null }) ?? null;
}
