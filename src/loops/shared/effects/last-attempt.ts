import { treePatch } from '../../../git/tree-change.ts';
import { runRefs } from '../../../git/run-refs.ts';
import { specOf } from '../../../kernel/loop-definition.ts';
import { lastAttemptText, MAX_DIFF_CHARACTERS } from '../../../prompt/last-attempt-text.ts';
import { callOf } from '../../../actors/capture-repository.ts';
import type { EffectRequest } from '../effect.ts';

/**
 * What the attempt before did: its words, and its change as its captures have it. It becomes a part of the prompt of
 * the next one, and is recorded there. Null: there is none, or its conversation is the beginning of the next one.
 */
export async function lastAttempt({
  effect,
  context: { run, settings },
  memory,
}: EffectRequest): Promise<string | null> {
  if (memory.child === null || specOf(effect, memory.loop).continues?.(memory.settings)) return null;
  const said = memory.childText === null ? memory.childAnswer : `${memory.childText}\n\n${memory.childAnswer}`;
  const diff = await changeOf(run, memory.captures, settings).catch(() => null);
  return lastAttemptText({ said, diff });
}

/** The difference of the capture of that number from the one before. Null: git has not both. */
async function changeOf(
  run: string,
  number: number,
  settings: EffectRequest['context']['settings'],
): Promise<string | null> {
  const call = callOf(settings);
  const refs = await runRefs(run, call);
  const [from, to] = [refs.get(String(number - 1)), refs.get(String(number))];
  if (from === undefined || to === undefined) return null;
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of treePatch({ from, to, leaveOut: [] }, call, true)) {
    text += decoder.decode(part, { stream: true });
    if (text.length > MAX_DIFF_CHARACTERS) break;
  }
  return text.slice(0, MAX_DIFF_CHARACTERS + 1);
}
