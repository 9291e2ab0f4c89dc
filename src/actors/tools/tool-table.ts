import type { Tool } from './tool.ts';
import { z } from 'zod';
import type { Json } from '../../log/envelope.ts';
import type { ToolSpec } from '../tool-spec.ts';

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

/** The tools as a model is told of them. Throws a `TypeError` where an input is no object or beyond JSON Schema. */
export function toolSpecs(tools: readonly Tool[]): ToolSpec[] {
  return [...toolTable(tools).values()].map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: inputSchema(tool),
  }));
}

function inputSchema({ name, input }: Tool): Json {
  try {
    const { $schema, ...schema } = z.toJSONSchema(input, { io: 'input' });
    if (schema.type === 'object') return JSON.parse(JSON.stringify(schema)) as Json;
  } catch (cause) {
    throw new TypeError(`tool "${name}": its input cannot be said in JSON Schema; use simpler schemas`, { cause });
  }
  throw new TypeError(`tool "${name}": expected an object as its input, for instance z.strictObject({ … })`);
}
