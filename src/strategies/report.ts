import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type CheckResult, type EventOf, Level } from '../../machines/events.ts';

/** The results of the checks of one iteration. Levels that were not configured or not reached are absent. */
export interface VerificationReport {
  readonly overall: { readonly passed: boolean };
  /** Levels with checks that were not reached, because one below them failed. Absent: none. */
  readonly notRun?: readonly Level[];
  readonly levels: { readonly [level in Level]?: LevelReport };
}

interface LevelReport {
  readonly passed: boolean;
  readonly checks: readonly CheckResult[];
}

/** How far an iteration came, to compare iterations. */
export interface Measures {
  /** The highest level that passed. */
  readonly highestLevel: Level | null;
  readonly checksPassed: number;
  /** All configured checks, run or not, so that the share rises only because more of them pass. */
  readonly checksTotal: number;
  /** As `level/name`. */
  readonly failingChecks: readonly string[];
  /** As `level/name: test`, at most 100 for a check. Only checks with a test report name any. */
  readonly failingTests: readonly string[];
  /** The number of failed tests, named or not. */
  readonly testsFailed: number;
}

export interface FailedCheck extends CheckResult {
  readonly level: Level;
}

/** The recorded verification as a strategy reads it. `checks`: those that were configured. */
export function reportOf(
  { passed, levels }: Pick<EventOf<'verification.completed'>['payload'], 'passed' | 'levels'>,
  checks: readonly { readonly level: Level }[] = [],
): VerificationReport {
  const notRun = Level.options.filter(
    (level) => checks.some((check) => check.level === level) && !levels.some((result) => result.level === level),
  );
  return {
    overall: { passed },
    ...(notRun.length > 0 ? { notRun } : {}),
    levels: Object.fromEntries(levels.map(({ level, ...result }) => [level, result])),
  };
}

export function measure(report: VerificationReport | null, checksTotal: number): Measures {
  const levels = Level.options.flatMap((level) => {
    const result = report?.levels[level];
    return result ? [{ level, ...result }] : [];
  });
  const failed = failedChecks(report);
  return {
    highestLevel: levels.findLast(({ passed }) => passed)?.level ?? null,
    checksPassed: levels.flatMap(({ checks }) => checks).filter(({ passed }) => passed).length,
    checksTotal,
    failingChecks: failed.map(({ level, name }) => `${level}/${name}`),
    failingTests: failed.flatMap(({ level, name, tests }) =>
      (tests?.failing ?? []).map((test) => `${level}/${name}: ${test.name}`),
    ),
    testsFailed: failed.reduce((sum, { tests }) => sum + (tests?.failed ?? 0), 0),
  };
}

export function failedChecks(report: VerificationReport | null): FailedCheck[] {
  return Level.options.flatMap((level) =>
    (report?.levels[level]?.checks ?? []).filter(({ passed }) => !passed).map((check) => ({ level, ...check })),
  );
}

/**
 * Sixteen hex characters, equal for two iterations exactly when both left the same workspace with the same check
 * results. Durations and output do not count: they are never the same.
 */
export function contentHash(report: VerificationReport | null, workspaceHash: string | null): string {
  const results = Level.options.map(
    (level) => report?.levels[level]?.checks.map(({ name, passed }) => [name, passed]) ?? null,
  );
  return createHash('sha256')
    .update(String(canonicalize([results, workspaceHash])))
    .digest('hex')
    .slice(0, 16);
}
