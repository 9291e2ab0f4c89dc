import { builtinTools } from '../actors/tools/builtin.ts';
import { type ConfigFault, faultAt } from '../options/config-fault.ts';
import { nearest } from '../text/nearest.ts';

/** Every tool that can be named. */
export const KNOWN_TOOLS: readonly string[] = builtinTools().map(({ name }) => name);

/** The tools of a run that names none. */
export const DEFAULT_TOOLS: readonly string[] = builtinTools()
  .filter(({ onlyByName }) => onlyByName !== true)
  .map(({ name }) => name);

/** What stands in the names of tools of MCP servers: a conversation may go on where its server is missing. */
const OF_SERVER = '__';

/** An unknown tool is probably misspelt. Ignored, it would be missed only when the model needs it. */
export const unknownTools = (tools: readonly string[], known: readonly string[]): ConfigFault[] =>
  tools.flatMap((tool, index) =>
    known.includes(tool) || tool.includes(OF_SERVER)
      ? []
      : [faultAt(`tools[${index}]`, tool, `one of ${known.join(', ')}`, nearest(tool, known))],
  );
