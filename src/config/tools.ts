import { builtinTools } from '../actors/tools/builtin.ts';

/** Every tool that can be named. */
export const KNOWN_TOOLS: readonly string[] = builtinTools().map(({ name }) => name);

/** The tools of a run that names none. */
export const DEFAULT_TOOLS: readonly string[] = builtinTools()
  .filter(({ onlyByName }) => onlyByName !== true)
  .map(({ name }) => name);
