import { boundedEnd } from '../../../../config/read-within.ts';
import { logErrors } from '../../discovery/log-errors.ts';
import { repeatedErrors } from '../../discovery/error-repeats.ts';
import { namedFile } from './file-by-name.ts';
import type { Source } from './source.ts';

/** Of each log the end is read: what happened last. */
const MAX_LOG_BYTES = 4 * 1024 * 1024;
const MAX_LOGS = 50;

/** Errors in log files, by their text. */
export const logs: Source = {
  name: 'logs',
  canChange: ({ discovery }) => discovery.logs.length > 0,
  find: async ({ options: { discovery }, settings }) => {
    const named = discovery.logs.slice(0, MAX_LOGS);
    const read = await Promise.all(
      named.map(async (path) => ({ path, end: await boundedEnd(await namedFile(path, settings), MAX_LOG_BYTES) })),
    );
    const errors = read.flatMap(({ path, end }) => (end.kind === 'text' ? logErrors(end.text, path) : []));
    const problems = read.flatMap(({ path, end }) => (end.kind === 'text' ? [] : [`${path} ${end.why}`]));
    const items = repeatedErrors('logs', errors);
    if (discovery.logs.length > MAX_LOGS) problems.push(`only the first ${MAX_LOGS} logs are read`);
    return problems.length === 0
      ? { items }
      : { items, fault: { code: 'log_unreadable', message: problems.join('; ') } };
  },
};
