import type { ToolCall } from '../../machines/events.ts';

type Arguments = ToolCall['arguments'];

/**
 * Which calls of a tool are the same: those with equal arguments by default, with equal named fields, or with equal
 * results of the function. A call that is `exempt` never counts as a repetition.
 */
export type Identity = 'exempt' | readonly string[] | ((given: Arguments) => Arguments);

/** What detectors know of a tool. */
export interface ToolTraits {
  readonly identity?: Identity;
  /** The tool, or this call of it, is meant to be made repeatedly: it gets the long thresholds. */
  readonly polling?: true | ((given: Arguments) => boolean);
  /**
   * The tool, or this call of it, changes something: files, or what a person was asked and told. That all its results
   * are alike is no sign of a loop.
   */
  readonly writes?: true | ((given: Arguments) => boolean);
  /**
   * The tool, or this call of it, replaces something as a whole, whatever that was before: what, by a name such as the
   * path of a file; `true` where it is always the same thing, such as a list of tasks; null where it replaces nothing.
   */
  readonly replaces?: true | ((given: Arguments) => string | null);
  /** Whether a result of a tool that searches says that nothing was found. */
  readonly foundNothing?: (output: string) => boolean;
  /** The tool runs commands of a shell: its command tells what a call writes, whether it polls and how it ended. */
  readonly command?: CommandTraits;
  /** It only reads: an error in its results says nothing of the work. */
  readonly reads?: true | ((given: Arguments) => boolean);
  /** Words of commands that wait for something: those of `waits.ts` by default. */
  readonly waiting?: readonly string[];
  /** The agent and the task that a call delegates; null where it delegates none. */
  readonly handoff?: (given: Arguments) => Delegation | null;
}

export interface CommandTraits {
  /** The argument with the command, or the command in the arguments; null where a call has none. */
  readonly argument: string | ((given: Arguments) => string | null);
  /** The exit status that a result tells. */
  readonly statusIn: (output: string) => number;
}

/** The command that a call runs, which no schema has checked yet; null where it runs none. */
export function commandOf({ command }: ToolTraits, { arguments: given }: Pick<ToolCall, 'arguments'>): string | null {
  if (!command) return null;
  const { argument } = command;
  const text: unknown = typeof argument === 'string' ? Reflect.get(Object(given), argument) : argument(given);
  return typeof text === 'string' ? text : null;
}

export interface Delegation {
  readonly agent: string;
  readonly task: string;
}

export type TraitsOf = (tool: string) => ToolTraits;

const NO_TRAITS: ToolTraits = {};

/** What a tool's own function says of a call; false where it throws, as the arguments are not checked yet. */
export function says(
  trait: true | ((given: Arguments) => boolean) | undefined,
  { arguments: given }: Pick<ToolCall, 'arguments'>,
): boolean {
  if (typeof trait !== 'function') return trait === true;
  try {
    return trait(given);
  } catch {
    return false;
  }
}

/** No tool has traits, and none are assumed. */
export const noTraits: TraitsOf = () => NO_TRAITS;
