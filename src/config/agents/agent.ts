import type { Config } from '../config.ts';
import type { FileText } from '../read-within.ts';
import type { Section } from './front-matter.ts';

/** An agent: options of a run, under a name. */
export interface Agent {
  readonly name: string;
  readonly description: string | null;
  /** Null for a built-in agent. */
  readonly file: string | null;
  /** The whole file, where it is not the user's own and has to be trusted. */
  readonly others: FileText | null;
  readonly options: Config;
  /** Where in its file each option stands. */
  readonly lines: ReadonlyMap<string, number>;
  readonly warnings: readonly string[];
}

/** The text of an agent, found by its name and not yet parsed. */
export interface AgentText extends Section {
  readonly file: string;
  /** The whole file, where it is not the user's own and has to be trusted. */
  readonly others: FileText | null;
  /** Written for another program, so unknown fields are expected. */
  readonly isForeign: boolean;
}

export type ReadAgent =
  | { readonly kind: 'agent'; readonly agent: Agent }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };
