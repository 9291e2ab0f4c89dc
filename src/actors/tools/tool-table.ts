import type { Tool } from './tool.ts';

/** What every provider accepts as the name of a tool. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Tools by name. Throws where two share one, or no provider accepts it: that is a mistake in the program. */
export function toolTable(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const table = new Map<string, Tool>();
  for (const tool of tools) {
    if (!NAME.test(tool.name)) {
      throw new TypeError(`tool name ${JSON.stringify(tool.name)}: expected 1 to 64 letters, digits, "_" or "-"`);
    }
    if (table.has(tool.name)) throw new TypeError(`tool name "${tool.name}": two tools have it; rename one`);
    table.set(tool.name, tool);
  }
  return table;
}
