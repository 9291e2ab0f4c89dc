import type { LiveRun } from '../../app/running/live-runs.ts';
import type { App } from '../../app/app.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { readRemedy } from '../../projections/read-questions.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import type { Report } from '../../log/outbox-store.ts';
import { reportStatus } from '../pages/report-lines.ts';
import type { RunEnd } from '../../runtime/run-end.ts';
import { accountOf } from '../../app/views/account-of.ts';
import { changeCommands, knownChange } from '../pages/change-page.ts';
import { nextAfter } from '../pages/next-after.ts';
import { type Result, resultOf } from '../pages/result.ts';
import { summaryOf } from '../pages/summary-of.ts';
import type { Session } from '../session.ts';
import { EXIT, exitOf, SIGNAL_EXIT, type StoppingSignal } from '../terminal/exit-status.ts';

/** A run that has left this process: ended, paused, or owned by another process. */
export interface LeftRun {
  readonly session: Session;
  readonly loops: App;
  readonly live: LiveRun;
  readonly end: RunEnd;
  /** The signal that paused it. */
  readonly by: StoppingSignal | null;
  /** The reports that are still owed. */
  readonly owed: readonly Report[];
}

/** The result of a run that has left this process, and its loop if that is known here. */
export async function resultOfLeft(
  left: LeftRun,
): Promise<{ readonly result: Result; readonly loop: LoopDefinition | null }> {
  const { session, loops, live, end, owed } = left;
  const summary = await summaryOf(loops.log, live.run, loops.definitions);
  const loop = knownLoop(summary.machine, loops.definitions);
  const account = await accountOf(loops.log, live.run, summary, loops.definitions);
  const questions = (end.kind === 'paused' && (await loops.questions(live.run))) || [];
  const record = end.kind === 'paused' ? await loops.log.run(live.run) : null;
  const remedy = record && (await readRemedy(loops.log, record, loops.definitions));
  const change = end.kind === 'lost' ? null : await knownChange(() => loops.diff(live.run));
  const again = (words: readonly string[]) => session.again(words);
  const next = [
    ...(owed.length > 0 ? [again(['deliver'])] : []),
    ...(session.isKept ? await nextAfter(session, loops, live.run, summary, questions) : []),
    ...(change && end.kind === 'ended'
      ? changeCommands(change, summary.settings.isolation !== undefined).map(again)
      : []),
  ];
  const result = resultOf(live.run, summary, {
    account,
    questions,
    next: session.isKept ? next : [],
    warnings: live.warnings,
    unusedRules: end.kind === 'ended' ? await loops.unusedRules(live.run) : [],
    owed: owed.map(reportStatus),
    deciding: change?.deciding ?? [],
    // What has to be mended first makes an answer wait, too.
    ...statusOf(left, summary.settings.checks.length > 0, questions.length > 0 && !remedy),
  });
  return { result, loop };
}

function statusOf({ end, by }: LeftRun, checksAsked: boolean, isWaiting: boolean): Pick<Result, 'exit' | 'state'> {
  const state = end.kind === 'paused' && isWaiting ? 'waiting' : end.kind;
  switch (end.kind) {
    case 'ended':
      return { state, exit: exitOf(end.outcome, checksAsked) };
    case 'paused':
      if (by) return { state: 'paused', exit: SIGNAL_EXIT[by] };
      if (end.obstacle !== undefined) return { state: 'paused', exit: EXIT.environment };
      return { state, exit: isWaiting ? EXIT.waiting : EXIT.paused };
    case 'lost':
      return { state, exit: EXIT.held };
  }
}
