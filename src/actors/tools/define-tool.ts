import { z } from 'zod';
import type { Tool } from './tool.ts';

/** What a model sees of one call: result, answer, or failure. */
export const MAX_OUTPUT_BYTES = 30_000;
/** More than this is no result but a flood, and a failed call. */
export const FLOOD_BYTES = 10_000_000;
/** Of a text file that is read, written or edited. */
export const MAX_FILE_BYTES = 5_000_000;
export const MAX_LIST_ENTRIES = 1_000;
export const TOOL_TIMEOUT_MS = 120_000;
/** How long a tool that was told to stop may take to say what it has done. Longer than a command needs to be killed. */
export const STOP_GRACE_MS = 5_000;
/** How long a search may take before it answers with what it has found so far. */
export const SEARCH_MS = 15_000;
/** Past that, how long a single pattern may take with a single file or name before the search is ended. */
export const STUCK_MS = 5_000;
export const MAX_SEARCH_DEPTH = 100;
export const MAX_PATTERN_CHARACTERS = 2_000;

/** Text that UTF-8 can hold. */
export const text = z.string().refine((value) => value.isWellFormed(), 'Invalid input: expected well-formed Unicode');

export const path = text.min(1).describe('Path of the file, relative to the workspace');

export const folder = path.default('.').describe('Path of the directory, relative to the workspace');

export const includeIgnored = z.boolean().default(false).describe('Also what .gitignore leaves out');

/** An exact replacement in a file. */
export const replacement = {
  oldText: text.describe('The text to replace, exactly as it is in the file'),
  newText: text.describe('What stands there afterwards'),
  replaceAll: z.boolean().default(false),
};

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
