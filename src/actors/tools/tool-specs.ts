import { z } from 'zod';
import type { Json } from '../../log/envelope.ts';
import type { ToolSpec } from '../tool-spec.ts';
import type { Tool } from './tool.ts';
import { toolTable } from './tool-table.ts';

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
