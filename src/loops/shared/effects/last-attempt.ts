import { specOf } from '../../../kernel/loop-definition.ts';
import { lastAttemptText, MAX_DIFF_CHARACTERS } from '../../../prompt/last-attempt-text.ts';
import type { EffectServices } from '../../../ports/services.ts';
import type { EffectRequest } from '../effect.ts';

export type AttemptSources = Pick<EffectServices, 'workspaces'>;

/**
 * Returns what the attempt before did: its words, and its change as its captures have it. It becomes a part of the
 * prompt of the next one, and is recorded there. Null: there is none, or its conversation is the beginning of the next
 * one.
 */
export async function lastAttempt(
  { effect, context: { run, settings }, memory }: EffectRequest,
  { workspaces }: AttemptSources,
): Promise<string | null> {
  if (memory.child === null || specOf(effect, memory.loop).continues?.(memory.settings)) return null;
  const said = memory.childText === null ? memory.childAnswer : `${memory.childText}\n\n${memory.childAnswer}`;
  const capture = { run, number: memory.captures };
  const diff = await workspaces.patchOf(capture, settings, MAX_DIFF_CHARACTERS).catch(() => null);
  return lastAttemptText({ said, diff });
}
