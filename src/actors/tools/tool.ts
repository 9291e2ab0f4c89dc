import { z } from 'zod';
import type { GivenForm, ServerQuestion } from '../../../machines/server-question.ts';
import type { Took } from '../../../machines/took.ts';
import type { ToolTraits } from '../../detectors/traits.ts';
import type { EffectClass } from '../actor.ts';
import type { CommandRequest, CommandResult } from '../subprocess.ts';

export interface ToolContext {
  readonly callId: string;
  /** Effect id: a tool that talks to a service can use it as idempotency key. */
  readonly effect: string;
  /** The workspace, absolute and real. */
  readonly directory: string;
  /** Names of environment variables that a command sees beside the usual ones. */
  readonly environment: readonly string[];
  /** Real places outside the workspace that a person has allowed to read, with everything below them. */
  readonly readable: readonly string[];
  /** Runs commands behind the walls of the run. Absent: there are none. */
  readonly runCommand?: ((request: CommandRequest) => Promise<CommandResult>) | undefined;
  /** What a person has answered the server of this call, and whether one is there to be asked. */
  readonly asked?: AskedBefore | undefined;
  readonly signal: AbortSignal;
  readonly delta: (text: string) => void;
}

/** What is known of a person where a server of a tool asks one. */
export interface AskedBefore {
  readonly answers: readonly GivenForm[];
  readonly isAttended: boolean;
}

/** The result of a call. `answer` declares the whole run finished with it. */
export interface ToolReply {
  readonly output: string;
  readonly answer?: string;
  /** The time that a command of the call took: it tells waiting from work. */
  readonly took?: Took | undefined;
  /** The server of the tool asks a person first: the call is made again with the answer, and has no output yet. */
  readonly asks?: ServerQuestion | undefined;
}

/** Something a model may call. Throwing is a failed call that the model sees. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** Undeclared tools are `once`. */
  readonly effectClass?: EffectClass;
  readonly timeoutMs?: number;
  /** A user answers, with a text that becomes the call's output. `run` is for hosts without a user to ask. */
  readonly asksPerson?: true;
  /** Another run does the work, and its answer becomes the call's output. `run` is for hosts that cannot open one. */
  readonly handsOver?: true;
  /** Of a built-in tool: not among the default tools, only offered to runs that name it. */
  readonly onlyByName?: true;
  /** Offered to every run that has tools, beside those that it names: what a server offers is not known before. */
  readonly isAlwaysOffered?: true;
  /** What makes two calls of it the same, and other things that detectors have to know. */
  readonly traits?: ToolTraits;
  readonly run: (input: z.output<Input>, context: ToolContext) => Promise<ToolReply>;
  /** Only `reconcilable`: the reply if the call happened before a crash, null if it did not. */
  readonly reconcile?: (input: z.output<Input>, context: ToolContext) => Promise<ToolReply | null>;
}

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
