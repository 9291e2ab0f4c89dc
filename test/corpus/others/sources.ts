import type { Shape } from './shape.ts';

/** The origins of trajectories, and how many of them got no label, by reason. */
export interface Source {
  /** A public repository on GitHub, the commit that was read, and the folder with the logs. */
  readonly repository: string;
  readonly commit: string;
  readonly folder: string;
  readonly licence: 'MIT' | 'AGPL-3.0, not commercial' | 'none stated';
  readonly agent: string;
  readonly verifier: string;
  /** The trajectories with a label. The corpus has all of them, or so many evenly chosen. */
  readonly labelled: { readonly healthy: number; readonly stuck: number };
  /**
   * By `labelOf`: `news` and `mostlyNew` failed at a limit and still brought something; `noLimit` failed and ended by
   * themselves; `atLimit` passed, yet were ended by a limit; `short` have fewer than six steps. Logs without a readable
   * step have no verdict either.
   */
  readonly leftOut: {
    readonly news: number;
    readonly mostlyNew: number;
    readonly noLimit: number;
    readonly atLimit: number;
    readonly short: number;
    readonly noVerdict: number;
  };
}

/** Six projects. Where they count no tokens, or only those of a whole trajectory, steps have their share by length. */
export const SOURCES: { readonly [name in Shape['source']]: Source } = {
  'auto-code-rover': {
    repository: 'nus-apr/auto-code-rover',
    commit: '3536ac292e3062ffb3f6e98457958e2b803228d6',
    folder: 'results/swe-agent-results',
    licence: 'AGPL-3.0, not commercial',
    agent: 'SWE-agent of Princeton NLP with GPT-4, run by the authors of AutoCodeRover, up to 2 US dollars a task',
    verifier: 'the tests of SWE-bench Lite',
    labelled: { healthy: 63, stuck: 2 },
    leftOut: { news: 18, mostlyNew: 4, noLimit: 616, atLimit: 0, short: 104, noVerdict: 19 },
  },
  intercode: {
    repository: 'princeton-nlp/intercode',
    commit: 'c3e46d827cfc9d4c704ec078f7abf9f41e3191d8',
    folder: 'data/results',
    licence: 'MIT',
    agent:
      'the agent of InterCode in Bash, SQL and capture the flag with GPT-4, GPT-3.5 and text-davinci-003, ten turns',
    verifier: 'the reward of InterCode: state and output as those of the reference, or the flag',
    labelled: { healthy: 148, stuck: 411 },
    leftOut: { news: 139, mostlyNew: 70, noLimit: 0, atLimit: 13, short: 892, noVerdict: 0 },
  },
  'live-swe-agent': {
    repository: 'RussellRyanH/CSCI-635-LiveSWE-Agent',
    commit: '2813cfb19465bb9f57d50ebd0798550480a2f836',
    folder: 'results/llm-ablation/gpt-5-mini',
    licence: 'none stated',
    agent: 'Live-SWE-agent of OpenAutoCoder with GPT-5 mini, up to 250 steps and 3 US dollars',
    verifier: 'the tests of SWE-bench Verified',
    labelled: { healthy: 21, stuck: 0 },
    leftOut: { news: 0, mostlyNew: 0, noLimit: 15, atLimit: 0, short: 0, noVerdict: 9 },
  },
  'mini-swe-agent': {
    repository: 'gruckion/mini-swe-agent',
    commit: 'd12a71affd95403b036b2bdbd827349b77bfffb9',
    folder: 'swebench_results/20251118_gemini-3-pro-74pct',
    licence: 'MIT',
    agent: 'mini-swe-agent of the SWE-agent project with Gemini 3 Pro, up to 250 steps and 3 US dollars',
    verifier: 'the tests of SWE-bench Verified',
    labelled: { healthy: 371, stuck: 0 },
    leftOut: { news: 0, mostlyNew: 0, noLimit: 129, atLimit: 0, short: 0, noVerdict: 0 },
  },
  'multi-swe-bench': {
    repository: 'multi-swe-bench/experiments',
    commit: '89888f1604001fcd80b0799a37af42a1bfebfd8f',
    folder: 'evaluation/java/verified',
    licence: 'none stated',
    agent: 'SWE-agent with GPT-4o, GPT-4o mini, DeepSeek V2 and Doubao Pro, run by the authors of Multi-SWE-bench',
    verifier: 'the tests of SWE-bench Java',
    labelled: { healthy: 15, stuck: 53 },
    leftOut: { news: 132, mostlyNew: 38, noLimit: 173, atLimit: 6, short: 25, noVerdict: 6 },
  },
  'terminal-bench': {
    repository: 'laude-institute/terminal-bench-leaderboard',
    commit: '8e1925a397d7ed859c027cc19b3a3d90c16ef8df',
    folder: 'results/terminal-bench-core@0.1.1/20250825_swe-agent-mini_claude-4-sonnet',
    licence: 'none stated',
    agent: 'mini-swe-agent with Claude Sonnet 4, as handed in to the leaderboard, up to the time of the task',
    verifier: 'the tests of Terminal-Bench',
    labelled: { healthy: 29, stuck: 0 },
    leftOut: { news: 44, mostlyNew: 4, noLimit: 36, atLimit: 18, short: 0, noVerdict: 201 },
  },
};
