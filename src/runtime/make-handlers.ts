import type { RunSettings } from '../../machines/settings.ts';
import type { EffectHandlers } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';

/** Makes the effect handlers of a run that starts or is resumed. */
export type MakeHandlers = (run: string, settings: RunSettings, loop: LoopDefinition) => EffectHandlers;
