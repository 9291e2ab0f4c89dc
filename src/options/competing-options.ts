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
