import type { ToolCall } from '../../machines/events.ts';

type Arguments = ToolCall['arguments'];

/**
 * What makes two calls of a tool the same: all their arguments where nothing is said, the named fields, or whatever the
 * function keeps. A call that is `exempt` repeats nothing, whatever it says.
 */
export type Identity = 'exempt' | readonly string[] | ((given: Arguments) => Arguments);

/** What detectors have to know of a tool. */
export interface ToolTraits {
  readonly identity?: Identity;
  /** Asking it again and again is its purpose: it gets the long thresholds. */
  readonly polling?: true;
  /** Whom a call hands work to, and which; null where it hands over none. */
  readonly handoff?: (given: Arguments) => Handoff | null;
}

export interface Handoff {
  readonly agent: string;
  readonly task: string;
}

export type TraitsOf = (tool: string) => ToolTraits;

const NO_TRAITS: ToolTraits = {};

/** Where nothing is known of any tool. */
export const noTraits: TraitsOf = () => NO_TRAITS;
