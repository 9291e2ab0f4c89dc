import type { OptionRows } from './option-row.ts';

export const CONTEST_OPTIONS = {
  attempts: {
    value: '<n>',
    means: 'so many attempts compete, each in a worktree of its own: the best by evidence is brought into the folder',
    default: null,
    decides: false,
    harmless: false,
    recorded: false,
  },
  parallel: {
    value: '<n>',
    means: 'with attempts: how many of them run at once (default: 2)',
    default: null,
    decides: false,
    harmless: false,
    recorded: false,
  },
  agents: {
    value: '<a,b>',
    means: 'with attempts: agents of others, or models, that do them by turns; also --agent several times',
    form: 'names',
    default: null,
    decides: false,
    harmless: false,
    recorded: false,
  },
} as const satisfies OptionRows;

export const ENDING_OPTIONS = {
  strategy: {
    value: '<name>',
    // As `strategyChoice` lists them: the help, which shows this, loads no strategy.
    means: 'when to continue: fixed, hybrid, ralph, or custom:PATH#NAME; with a config as JSON',
    form: 'text or json',
    default: null,
    decides: true,
    harmless: 'by value',
    recorded: true,
  },
  detectors: {
    value: '<a,b>',
    means: "what notices a loop that repeats itself: 'default', 'strict', 'off', or names; -NAME leaves one out",
    form: 'names or json',
    default: ['default'],
    decides: true,
    harmless: true,
    recorded: true,
  },
  polling: {
    value: '<command>',
    means: "a command that may be repeated until it brings news, such as 'gh run *'; repeatable",
    form: 'lines',
    default: [],
    decides: true,
    harmless: true,
    recorded: true,
  },
} as const satisfies OptionRows;
