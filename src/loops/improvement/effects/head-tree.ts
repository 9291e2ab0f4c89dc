import type { RunSettings } from '../../../../machines/settings.ts';
import type { ImprovementMemory } from '../memory.ts';

/** The hash of the files that the loop has come to: those of its newest integration, or those that it began with. */
export const headTree = (
  { proof, isolation }: Pick<RunSettings, 'proof' | 'isolation'>,
  { head }: Pick<ImprovementMemory, 'head'>,
): string | null => head ?? proof?.base ?? isolation?.base ?? null;
