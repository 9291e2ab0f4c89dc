import { type CiResult, type EventOf, Level, type LevelResult } from '../../../machines/events.ts';
import type { Check, RunSettings } from '../../../machines/settings.ts';
import type { Actor, EffectCall } from '../actor.ts';
import { joinedLists, type TestList } from '../../evidence/test-list.ts';
import { runOfEffect } from '../../log/effect-names.ts';
import type { Elsewhere } from '../elsewhere.ts';
import { type CheckRun, type RanCheck, runCheck } from './check-run.ts';
import type { ReportPlace } from './report-place.ts';
import { workspaceReports } from './workspace-reports.ts';

export interface VerifyInput {
  readonly checks: readonly Check[];
  /** Asked after the checks, where none of them failed. */
  readonly ci?: RunSettings['ci'];
  readonly directory: string;
  /** The capture that is being checked: its tree hash, null outside git. */
  readonly workspace: string | null;
  /** Names of environment variables that checks see beside the usual ones. */
  readonly environment: readonly string[];
}

/**
 * Runs the checks level by level, L0 first. All checks of a level run, one after the other; after the first level that
 * fails none does, and neither is the CI asked, whose word proves nothing. Answers with `verification.completed`, or,
 * told to stop, with `effect.interrupted`.
 *
 * @example
 * const checks: Check[] = [{ level: 'L1', name: 'tests', command: 'npm test', timeoutMs: 600_000 }];
 * for await (const event of verifyActor().execute({ checks, directory, environment: [], workspace: null }, call))
 * accept(event);
 */
export function verifyActor(): Actor<VerifyInput> {
  return {
    effectClass: () => 'repeatable',
    async *execute({ checks, ci, directory, workspace, environment }, call) {
      const place = { run: runOfEffect(call.id), directory, environment, keepsOutput: true };
      const levels = await reportedLevels(checks, place, call);
      const status = levels?.every(({ passed }) => passed) && ci ? await askCi(ci, place, call) : undefined;
      yield levels && status !== null ? completed(levels, workspace, status) : interruptedChecks(call.signal);
    },
  };
}

/** The checks in the workspace, whose runners report to a folder of their own. Null: told to stop. */
async function reportedLevels(checks: readonly Check[], place: CheckPlace, call: Call): Promise<LevelResult[] | null> {
  const made = checks.length === 0 ? null : await workspaceReports(place.directory);
  try {
    const ran = await runLevels(checks, made ? { ...place, reports: made.reports } : place, call);
    return ran && ran.levels;
  } finally {
    await made?.remove().catch(() => {});
  }
}

export interface CheckPlace extends Pick<VerifyInput, 'directory' | 'environment'> {
  /** The run whose work is checked. */
  readonly run: string;
  readonly elsewhere?: Elsewhere;
  /** Where test runners are to report every test. Absent: they are told nothing. */
  readonly reports?: ReportPlace;
  /** Keeps long outputs whole, for the agent of the run. */
  readonly keepsOutput?: boolean | undefined;
  /** Runs the levels behind one that fails, too. */
  readonly runsAll?: boolean;
  /** Tests that runners which can are to run alone, by the name of their check. Absent: all. */
  readonly only?: CheckRun['only'];
  /** The check that each step belongs to, by name: where a step fails, none behind it runs. Absent: all run. */
  readonly stepOf?: ReadonlyMap<string, string> | undefined;
  /** Asked after each level with all that ran so far, in place of that: whether the next one runs. */
  readonly goesOn?: ((ran: RanLevels) => boolean) | undefined;
}

/** What checks have come to. */
export interface RanLevels {
  readonly levels: LevelResult[];
  /** Every test by name, by the name of its check. A check that reported none is absent. */
  readonly tests: ReadonlyMap<string, TestList>;
}
type Call = Pick<EffectCall, 'signal' | 'delta'>;

/** The checks level by level, up to the first level that fails. Null: told to stop. */
export async function runLevels(checks: readonly Check[], place: CheckPlace, call: Call): Promise<RanLevels | null> {
  const levels: LevelResult[] = [];
  const tests = new Map<string, TestList>();
  for (const level of Level.options) {
    const ran = await runInOrder(
      checks.filter((check) => check.level === level),
      place,
      call,
    );
    if (!ran) return null;
    if (ran.length === 0) continue;
    for (const { result, tests: list } of ran) {
      const joined = joinedLists([tests.get(result.name) ?? null, list].filter((one) => one !== null));
      if (joined) tests.set(result.name, joined);
    }
    const results = ran.map(({ result }) => result);
    const passed = results.every((result) => result.passed);
    levels.push({ level, passed, checks: results });
    if (!(place.goesOn?.({ levels, tests }) ?? (passed || place.runsAll))) break;
  }
  return { levels, tests };
}

async function runInOrder(
  checks: readonly Check[],
  place: CheckPlace,
  { signal, delta }: Call,
): Promise<RanCheck[] | null> {
  const results: RanCheck[] = [];
  const failed = new Set<string>();
  for (const check of checks) {
    const whole = place.stepOf?.get(check.name);
    if (whole !== undefined && failed.has(whole)) continue;
    const onOutput = (text: string) => delta({ kind: 'output', text });
    const result = await runCheck({ check, ...place, signal, onOutput });
    if (!result) return null;
    if (whole !== undefined && !result.result.passed) failed.add(whole);
    results.push(result);
  }
  return results;
}

/** What the CI says of the work. Null: told to stop. */
export async function askCi(
  ci: NonNullable<VerifyInput['ci']>,
  place: CheckPlace,
  call: Call,
): Promise<CiResult | null> {
  const results = await runInOrder([{ level: 'L3', name: 'ci', ...ci }], place, call);
  const [ran] = results ?? [];
  if (!ran) return null;
  const { passed, output, exitCode, durationMs } = ran.result;
  return { passed, output, exitCode, durationMs };
}

/** Where nothing was checked nothing is proven. */
function completed(levels: LevelResult[], workspace: string | null, ci?: CiResult): EventOf<'verification.completed'> {
  const passed = levels.length > 0 && levels.every((level) => level.passed);
  return { type: 'verification.completed', payload: { passed, workspace, levels, ...(ci ? { ci } : {}) } };
}

/** The checks were told to stop. */
export const interruptedChecks = ({ reason }: AbortSignal): EventOf<'effect.interrupted'> => ({
  type: 'effect.interrupted',
  payload: { actor: 'checks', reason: String(reason) },
});
