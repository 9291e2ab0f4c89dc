import { boundedRead } from '../../../../config/read-within.ts';
import { uncoveredLines } from '../../discovery/coverage-gaps.ts';
import { namedFile } from './file-by-name.ts';
import { faultyFinds, never, type Source } from './source.ts';

const MAX_REPORT_BYTES = 32 * 1024 * 1024;

/** Lines that no test reaches, by a coverage report in the format of lcov. */
export const coverage: Source = {
  name: 'coverage',
  canChange: never,
  find: async ({ options: { discovery }, settings, fileIn }) => {
    if (discovery.lcov === null) return { items: [] };
    const path = await namedFile(discovery.lcov, settings);
    const read = await boundedRead(path, MAX_REPORT_BYTES);
    if (read.kind === 'unread') return faultyFinds('coverage_unreadable', `the coverage report ${path} ${read.why}`);
    const items = uncoveredLines(read.text, await fileIn());
    return items
      ? { items }
      : faultyFinds('coverage_unreadable', `${path} is no coverage report in the format of lcov`);
  },
};
