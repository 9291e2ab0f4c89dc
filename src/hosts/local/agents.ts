import type { RunSettings } from '../../../machines/settings.ts';

/** What an agent brings to work that is handed to it. Whatever is absent is as whoever hands it over has it. */
export interface AgentOptions {
  /** As it is recorded; the name it was asked for by, if not said. */
  readonly name?: string;
  readonly system?: string | null;
  readonly model?: string;
  readonly tools?: readonly string[];
  /** Neither is ever more than the share that comes with the work. */
  readonly maxSteps?: number | null;
  readonly maxToolCalls?: number | null;
}

export type FoundAgent =
  | { readonly kind: 'agent'; readonly agent: AgentOptions }
  /** Nobody has that name. */
  | { readonly kind: 'unknown'; readonly known: readonly string[] }
  /** The agent is there, and cannot be used. The reason is for a model to read. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Finds the agent that a model names when it hands work over. `giver` is the run that does so. */
export type AgentLookup = (name: string, giver: RunSettings) => FoundAgent | Promise<FoundAgent>;

/** Where nobody but oneself is known. */
export const nobodyElse: AgentLookup = () => ({ kind: 'unknown', known: [] });
