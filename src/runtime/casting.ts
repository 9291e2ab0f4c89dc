import type { RunSettings } from '../../machines/settings.ts';
import type { Cast } from './cast.ts';
import type { LoopDefinition } from './loop-definition.ts';

/** Puts a cast together for a run that starts or is resumed. */
export type Casting = (run: string, settings: RunSettings, loop: LoopDefinition) => Cast;
