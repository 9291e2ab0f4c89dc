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
  /** The tool is meant to be called repeatedly: it gets the long thresholds. */
  readonly polling?: true;
  /** The agent and the task that a call delegates; null where it delegates none. */
  readonly handoff?: (given: Arguments) => Delegation | null;
}

export interface Delegation {
  readonly agent: string;
  readonly task: string;
}

export type TraitsOf = (tool: string) => ToolTraits;

const NO_TRAITS: ToolTraits = {};

/** No tool has traits. */
export const noTraits: TraitsOf = () => NO_TRAITS;
