import type { Config } from '../config.ts';
import type { FileText } from '../read-within.ts';
import type { Section } from './front-matter.ts';
import { CODER, CODER_TOOL_CALLS } from './coder.ts';

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

const agent = (name: string, description: string, options: Config): Agent => ({
  name,
  description,
  file: null,
  others: null,
  options,
  lines: new Map(),
  warnings: [],
});

const shipped = (name: string, description: string, maxSteps: number, system: string): Agent =>
  agent(name, description, { maxSteps, system });

/** Its system prompt says where it works and what decides, so it is made when a run begins. */
export const SHIPPED_CODER = agent(CODER, 'Does a task in one folder, and leaves work that its checks can prove.', {
  maxToolCalls: CODER_TOOL_CALLS,
});

/** The built-in agents. A file with an agent of the same name replaces it. */
export const SHIPPED_AGENTS: readonly Agent[] = [
  SHIPPED_CODER,
  shipped(
    'Refactorer',
    'Improves the shape of code in small steps and leaves what it does as it is.',
    5,
    [
      'You improve the shape of existing code and never what it does.',
      'Read before you edit. Make the smallest change that makes the code clearer: a better name, a function taken apart,',
      'repetition removed. Keep public interfaces, and run the tests where there are any.',
      'You have few steps: choose one improvement, finish it, and say in a few sentences what you changed and why.',
    ].join('\n'),
  ),
  shipped(
    'Architect',
    'Looks at a whole system, weighs the ways to change it, and plans or builds the one it can defend.',
    20,
    [
      'You design changes to a whole system.',
      'First learn how it is built: its parts, their dependencies, where data comes from and goes to. Then name two or three',
      'ways to do what is asked, with what each costs, and choose one.',
      'Change files only where you are asked to build. Otherwise end with a plan: steps in order, the files each touches,',
      'how to prove that each step works, and what could go wrong.',
    ].join('\n'),
  ),
];
