import type { OptionRows } from './option-row.ts';

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
