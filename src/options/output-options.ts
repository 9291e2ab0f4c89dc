import type { OptionRows } from './option-row.ts';

export const OUTPUT_OPTIONS = {
  outputFormat: {
    value: '<format>',
    means: 'text, json or stream-json; the last line of both JSON forms is a result object',
    isCommon: true,
    default: 'text',
    decides: false,
    harmless: true,
    recorded: false,
  },
  quiet: {
    value: '',
    means: 'show nothing of a run while it works but warnings, questions and errors',
    default: false,
    decides: false,
    harmless: true,
    recorded: false,
  },
  verbose: {
    value: '',
    means: 'show texts to their end, and what calls have said',
    default: false,
    decides: false,
    harmless: true,
    recorded: false,
  },
  deltas: {
    value: '',
    means: 'with stream-json: also what models and commands say, as they say it',
    default: false,
    decides: false,
    harmless: true,
    recorded: false,
  },
  stateDirectory: {
    value: '<folder>',
    means: 'where to keep loop-state.json and metrics.json, in the workspace',
    default: null,
    decides: false,
    harmless: true,
    recorded: true,
  },
  webhooks: {
    value: '<url>',
    means:
      'where to report that the run has started, continues and has ended; repeatable; as JSON with a secretVariable',
    flag: '--webhook',
    form: 'lines or json',
    default: null,
    decides: false,
    harmless: false,
    recorded: true,
  },
  log: {
    value: '<address>',
    means: 'the log: sqlite:PATH, memory:, postgres:… or env:NAME (default: .loopfold/log.db of the project)',
    default: null,
    decides: false,
    harmless: false,
    recorded: false,
  },
} as const satisfies OptionRows;
