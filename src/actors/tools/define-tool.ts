import type { z } from 'zod';
import type { Tool } from './tool.ts';

/**
 * A tool whose `run` knows the type of its input from the schema. What it is given has passed that schema.
 *
 * @example
 * const roll = defineTool({
 *   name: 'roll',
 *   description: 'Rolls a die.',
 *   input: z.strictObject({ sides: z.int().min(2) }),
 *   run: async ({ sides }) => ({ output: String(1 + Math.floor(Math.random() * sides)) }),
 * });
 */
export function defineTool<Input extends z.ZodType>(tool: Tool<Input>): Tool {
  // The tool actor parses the input before each run, so dropping its type here is safe.
  return tool as unknown as Tool;
}
