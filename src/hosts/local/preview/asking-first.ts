import type { RunSettings } from '../../../../machines/settings.ts';
import type { LoopDefinition } from '../../../kernel/loop-definition.ts';
import { loopNamed } from '../../../kernel/loop-named.ts';
import { attemptSettings } from '../../../loops/attempt-settings.ts';

/** Stands for the id of a run that does not begin. */
const NO_RUN = 'preview';

/** A run that asks its model for a conversation of its own, and the loop it is of. */
export interface Asking {
  readonly settings: RunSettings;
  readonly loop: LoopDefinition;
}

/**
 * The run that sends the first request: the run itself where its loop has a conversation, else the first child that its
 * loop opens. Null: the loop asks by effects of its own, which only it knows.
 */
export function askingFirst(settings: RunSettings, loops: readonly LoopDefinition[]): Asking | null {
  const loop = loopNamed(settings.loop, loops);
  if (loop.conversation) return { settings, loop };
  const [effect, spec] = Object.entries(loop.effects).find(([, one]) => one.class === 'child') ?? [];
  if (!spec) return null;
  const { limits } = settings;
  const opens = spec.opens ?? attemptSettings;
  const child = opens({
    settings,
    run: NO_RUN,
    effect: `${NO_RUN}/${effect}`,
    iteration: 0,
    limits,
    attemptLimits: settings.attemptLimits ?? limits,
    share: { tokens: limits.maxTokens, nanoUsd: limits.maxCostNanoUsd ?? null },
    feedback: null,
    steering: [],
    remade: null,
    memory: loop.remember?.(NO_RUN, settings) ?? { observe: () => {} },
  });
  return child.loop === settings.loop ? null : askingFirst(child, loops);
}
