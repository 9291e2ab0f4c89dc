import { branchCommit, type Branched } from '../../git/bring/branch-commit.ts';
import { runRefs } from '../../git/run-refs.ts';
import { endingName, oneLine } from '../../projections/phrases.ts';
import { readSummary } from '../../projections/read-summary.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import type { DecidingFile } from '../../config/settings-places.ts';
import { decidingIn } from './change-of-settings.ts';
import type { AppHost } from '../app-host.ts';
import { knownRun, type NoChange, runChange } from './run-change.ts';
import { readRecord } from '../../git/bring/change-record.ts';
import type { KnownRun } from './run-sides.ts';

const MAX_SUBJECT_CHARS = 72;

/** A branch with the change of a run, or why there is none. */
export type ChangeBranch =
  | (Branched & {
      readonly run: string;
      readonly branch: string;
      /** Which files of the change later runs go by. */
      readonly deciding: readonly DecidingFile[];
    })
  | NoChange;

/**
 * Makes a branch with one commit, the run's change, on the commit that was checked out when it began. Its author is the
 * user of git's configuration. No hook runs, and neither files nor the checked out branch change.
 */
export async function changeBranch(
  host: Pick<AppHost, 'log' | 'definitions'>,
  run: string,
  branch: string,
): Promise<ChangeBranch> {
  const known = await knownRun(host, run);
  if ('kind' in known) return known;
  const first = await firstUnapplied(host, known);
  const change = await runChange(host, first, { at: 'start', to: { run } });
  if (change.kind !== 'change') return change;
  const head = (await runRefs(first, known.call)).get('head') ?? null;
  const summary = await readSummary(host.log, run, host.definitions);
  const message = messageOf(run, summary);
  const made = await branchCommit(
    { branch, message, head, from: change.from.tree, to: change.to.tree, leaveOut: known.leaveOut },
    known.call,
  );
  return { ...made, run, branch, deciding: decidingIn(change.files, []) };
}

function messageOf(run: string, summary: RunSummary | null): string {
  const { settings, ending } = summary ?? {};
  const outcome = ending ? endingName(ending.outcome, (settings?.checks.length ?? 0) > 0) : 'not ended';
  const evidence = ending?.evidence ?? [];
  return [
    oneLine(summary?.task ?? `Change of run ${run}`, MAX_SUBJECT_CHARS),
    '',
    `Run: ${run}`,
    `Outcome: ${outcome}`,
    ...(ending ? [`Because: ${oneLine(ending.reason, MAX_SUBJECT_CHARS * 2)}`] : []),
    ...evidence.map((id) => `Evidence: ${id}`),
    '',
  ].join('\n');
}

/**
 * The run whose start the change of a run leads from, for its workspace: its own, or, where an isolated run continues
 * others that were never applied, that of the first of them. What was verified is the work of all of them.
 */
export async function firstUnapplied({ log }: Pick<AppHost, 'log'>, { run, settings, call }: KnownRun) {
  if (!settings.isolation) return run;
  let first = run;
  for (;;) {
    const before = (await log.run(first))?.forkedFrom?.run;
    if (before === undefined || !(await runRefs(before, call)).has('0')) return first;
    const record = await readRecord(before, call);
    if (record?.verb === 'apply' && record.state === 'done') return first;
    first = before;
  }
}
