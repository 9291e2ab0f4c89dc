import type { ModelParameters } from '../../machines/model-parameters.ts';
import type { RunSettings } from '../../machines/settings.ts';

/** The options of an agent that work is delegated to. Absent ones are inherited from the delegating run. */
export interface AgentOptions {
  /** The recorded name. Default: the name in the call. */
  readonly name?: string;
  readonly system?: string | null;
  readonly model?: string;
  /** How its model is asked, each over that of the delegating run. */
  readonly parameters?: ModelParameters;
  readonly tools?: readonly string[];
  /** Both caps are bounded by the share of the delegated work. */
  readonly maxSteps?: number | null;
  readonly maxToolCalls?: number | null;
}

export type FoundAgent =
  | { readonly kind: 'agent'; readonly agent: AgentOptions }
  /** There is no agent of that name. */
  | { readonly kind: 'unknown'; readonly known: readonly string[] }
  /** The agent exists, and cannot be used. The model reads the reason. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Finds the agent that a model names when it delegates work. `delegator`: the settings of the delegating run. */
export type AgentLookup = (name: string, delegator: RunSettings) => FoundAgent | Promise<FoundAgent>;

/** Without agents, a model can only delegate work to itself. */
export const noAgents: AgentLookup = () => ({ kind: 'unknown', known: [] });
