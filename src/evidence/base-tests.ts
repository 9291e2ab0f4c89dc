import type { BaseTests } from '../../machines/recorded-proof.ts';
import type { ReportedTests } from './tests-of-checks.ts';

/** A list whose names are longer in all is not recorded, and its check counts as one that names no test. */
const MAX_NAMES_CHARACTERS = 2 * 1024 * 1024;
const MAX_TESTS = 20_000;

/** The tests of checks as they are recorded: without what failing ones say. */
export const baseTests = (reported: ReportedTests): BaseTests[] =>
  [...reported].flatMap(([check, { complete, printed, tests }]) => {
    const characters = tests.reduce((sum, { file, name }) => sum + (file?.length ?? 0) + name.length, 0);
    if (tests.length > MAX_TESTS || characters > MAX_NAMES_CHARACTERS) return [];
    const how = { complete, ...(printed ? { printed } : {}) };
    return [{ check, ...how, tests: tests.map(({ message: _, ...test }) => test) }];
  });

/** The same, as they were reported. */
export const basedOn = (recorded: readonly BaseTests[]): ReportedTests =>
  new Map(recorded.map(({ check, ...list }) => [check, list]));
