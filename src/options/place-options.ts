import { DEPENDENCY_FOLDERS } from './defaults.ts';
import type { OptionRows } from './option-row.ts';

export const PLACE_OPTIONS = {
  isolate: {
    value: '<where>',
    means: "'worktree': work in a worktree of its own; 'none' (the default): in the folder",
    isCommon: true,
    default: 'none',
    decides: false,
    harmless: false,
    recorded: true,
  },
  isolateFrom: {
    value: '<what>',
    means:
      "with isolate worktree: begin with the 'files' as they are (the default), or with those of the commit: 'HEAD'",
    default: 'files',
    decides: false,
    harmless: false,
    recorded: true,
  },
  deps: {
    value: '<a,b>',
    means: 'ignored folders that a worktree or a proof gets, by name or path (default: node_modules …)',
    form: 'names',
    default: DEPENDENCY_FOLDERS,
    decides: false,
    harmless: false,
    recorded: true,
  },
  sandbox: {
    value: '<how>',
    means: "walls around the commands of the agent: 'try' (the default), 'required', or 'off'",
    default: 'try',
    decides: true,
    harmless: 'by value',
    recorded: true,
  },
  network: {
    value: '<what>',
    means:
      "what commands of the agent reach behind walls: 'registries' (the default: where packages come from), 'none', 'all', or a list with hosts and loopback:PORT",
    isCommon: true,
    default: 'registries',
    decides: true,
    harmless: 'by value',
    recorded: true,
  },
  sandboxWrite: {
    value: '<path>',
    means: 'a path that they may write to beside the workspace; repeatable',
    form: 'lines',
    default: [],
    decides: true,
    harmless: false,
    recorded: true,
  },
  sandboxLimits: {
    value: '<limits>',
    means: 'limits of such a command: memory=8gb,processes=4096,file=16gb; of each process, of the user, of each file',
    default: null,
    decides: true,
    harmless: false,
    recorded: true,
  },
  captureLimit: {
    value: '<size>',
    means:
      'a larger file that git does not track is in no capture, and undo cannot bring it back: 200mb (default: 50mb)',
    default: null,
    decides: true,
    harmless: true,
    recorded: true,
  },
} as const satisfies OptionRows;
