import type { Config } from '../config.ts';
import type { FileText } from '../bounded-read.ts';
import type { Section } from './front-matter.ts';

/** What an agent says of itself: options of a run, under a name. */
export interface Agent {
  readonly name: string;
  readonly description: string | null;
  /** Null for one that comes with the program. */
  readonly file: string | null;
  /** All that file says, where somebody else may have written it. */
  readonly others: FileText | null;
  readonly options: Config;
  /** Where in its file each option stands. */
  readonly lines: ReadonlyMap<string, number>;
  readonly warnings: readonly string[];
}

/** The text of an agent, found under a name and not yet understood. */
export interface AgentText extends Section {
  readonly file: string;
  /** All that file says, where somebody else may have written it. */
  readonly others: FileText | null;
  /** Written for another program, whose words we need not know. */
  readonly isForeign: boolean;
}

export type ReadAgent =
  | { readonly kind: 'agent'; readonly agent: Agent }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };
