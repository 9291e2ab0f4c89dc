import type { z } from 'zod';
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
