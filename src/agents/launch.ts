import type { JsonObject } from './json-object.ts';

/** The way to start an agent that speaks the Agent Client Protocol. */
export interface AgentLaunch {
  /** For `/bin/sh -c`. */
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The way of logging in that it is told to use. Null: it has one already. */
  readonly login: string | null;
  /** The settings of its sessions beyond the protocol, or null. */
  readonly session: JsonObject | null;
}
