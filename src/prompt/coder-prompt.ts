import type { RunSettings } from '../../machines/settings.ts';
import { builtInStrategy } from '../strategies/strategy-kinds.ts';

/** The version of the built-in prompt. It changes with every change of its text, and is recorded with each run. */
export const CODER_VERSION = 'coder@1';

/** What the agent that ships is told of its run. All of it is known when the run begins. */
export interface CoderSubject {
  /** The folder that it works in, absolute. */
  readonly workspace: string;
  /** Such as `linux x64`. */
  readonly platform: string;
  /** The day on which the run begins, such as 2026-11-25. */
  readonly date: string;
  /** Such as `branch main`. */
  readonly git: string;
  /** Where checks run: in a clean checkout, or in the workspace. Null: there is none. */
  readonly checks: 'checkout' | 'workspace' | null;
  /** Another attempt may follow. */
  readonly hasAttempts: boolean;
  /** With which text the agent says that nothing is missing, where the strategy of the loop goes by one. */
  readonly signal: string | null;
  readonly tools: readonly string[];
}

/**
 * The built-in system prompt: who the agent is, where, what decides, how to finish, what is not possible, when to ask.
 * Below 450 words, because every request carries it.
 */
export function coderPrompt(subject: CoderSubject): string {
  const { workspace, platform, date, git } = subject;
  return [
    ROLE,
    [`Workspace: ${workspace}`, `Platform: ${platform}`, `Date: ${date}`, `Git: ${git}`].join('\n'),
    section('How to work', HOW_TO_WORK),
    section('What decides', decides(subject)),
    section('How to finish', finishing(subject)),
    section('What is not possible', limits(subject)),
    section('When to ask', asking(subject)),
  ].join('\n\n');
}

const section = (title: string, lines: readonly string[]): string =>
  [`# ${title}`, ...lines.map((line) => `- ${line}`)].join('\n');

const ROLE =
  'You are a coding agent. You do one task in one folder, with the tools that you are given, and what you leave in its ' +
  'files is your work.';

const HOW_TO_WORK = [
  'Read before you change: the code that the task is about, and the tests that say what it has to do.',
  'Make the smallest change that does the whole task, in the style of the files around it. Leave the rest alone.',
  'Run the narrowest command that can show you wrong, and read what it prints. After two failures of one idea, try another.',
];

function decides({ checks }: CoderSubject): readonly string[] {
  if (checks === null)
    return ['No check is configured, so nothing but your answer shows what was done. Run what can prove it.'];
  const where =
    checks === 'checkout'
      ? [
          'They run in a clean checkout of your files, with the tests and the configuration that were there at the start. ' +
            'A change of those makes no check pass; tests that you add run too.',
        ]
      : ['They run in this folder, as you leave it.'];
  return [
    'The checks that the task names decide, and not what you say: each has to pass on the files that you leave.',
    ...where,
    'Mend the work, never the measure: no test weakened or skipped, no answer written for a test alone, no warning silenced.',
  ];
}

function finishing({ checks, hasAttempts, signal, tools }: CoderSubject): readonly string[] {
  const how = tools.includes('finish')
    ? 'an answer without a tool call, or the tool `finish`,'
    : 'an answer without a tool call';
  return [
    `Finish with ${how} only when the work is done: announcing a next step ends your work, too.`,
    'Say in a few sentences what you changed, what you ran and saw, and what is not done. Claim nothing that you did not see.',
    ...(signal === null ? [] : [`Only when nothing is missing, end with ${signal} alone on the last line.`]),
    ...(hasAttempts
      ? [
          `${checks === null ? 'Unless it is complete' : 'If a check fails'}, another attempt begins, with the task, ` +
            'what failed, and the files as you left them.',
        ]
      : []),
  ];
}

function limits({ tools }: CoderSubject): readonly string[] {
  const outside = tools.includes('request_read_access')
    ? 'File tools reach this folder alone; `request_read_access` asks for reading elsewhere.'
    : 'File tools reach this folder alone.';
  return [
    `${outside} \`.git\` and \`.loopfold\` are not yours to write.`,
    ...(tools.includes('shell')
      ? ['Commands have no terminal and no input, and a time limit. What they leave running is ended with your work.']
      : []),
    'Answers, calls, tokens and time are limited. Of a long output you see a part.',
  ];
}

function asking({ tools }: CoderSubject): readonly string[] {
  if (!tools.includes('ask_user')) return ['No person can be asked. Decide, and say what you assumed.'];
  return [
    'Use `ask_user` only for what the files cannot tell you and a wrong guess would spoil: a choice between different ' +
      'results, a secret, a permission. The work waits for the answer.',
    'Otherwise decide, and say what you assumed.',
  ];
}

/** What no option says: where and when a run begins. */
export type Surroundings = Pick<CoderSubject, 'platform' | 'date' | 'git'>;

/** What the agent of a run is told, by the settings of the run. */
export function coderSubject(
  { directory, checks, strategy, tools, attemptLimits }: RunSettings,
  isProven: boolean,
  surroundings: Surroundings,
): CoderSubject {
  const where = isProven ? 'checkout' : 'workspace';
  return {
    ...surroundings,
    workspace: directory,
    checks: checks.length === 0 ? null : where,
    hasAttempts: attemptLimits !== null,
    signal: (strategy && builtInStrategy(strategy.name)?.signal?.(strategy.config)) ?? null,
    tools,
  };
}
