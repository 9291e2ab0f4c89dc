import type { App } from '../../app/app.ts';
import { salvageLog } from '../../app/records/salvage-log.ts';
import { type LogError, RESTORE, type StoreFault } from '../../log/log.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { runOfEffect } from '../../log/effect-names.ts';
import { checkLog } from '../../replay/check-log.ts';
import { reportFaults } from '../../replay/report-faults.ts';
import type { Checked } from '../pages/check-page.ts';
import type { Session } from '../session.ts';
import { judgedNow } from './judge-now.ts';

/** Runs of a log, replayed and judged again. `faults`: takes what is wrong with their reports. */
export async function* checkedRuns(
  loops: App,
  asked: readonly RunRecord[],
  faults: StoreFault[],
): AsyncGenerator<Checked> {
  const { log, definitions } = loops;
  const parents = new Map(asked.flatMap(({ run, parentEffect: by }) => (by === null ? [] : [[run, runOfEffect(by)]])));
  for await (const replayed of checkLog(log, asked, definitions)) {
    const parent = parents.get(replayed.run);
    if (replayed.kind === 'same') faults.push(...(await reportFaults(log, replayed.run, definitions)));
    const judged = replayed.kind === 'same' ? { judged: await judgedNow(loops, replayed.run) } : {};
    yield { file: log.store, ...replayed, ...judged, ...(parent === undefined ? {} : { childOf: parent }) };
  }
}

/**
 * The runs of a log that cannot be read as a whole: those that a repair would save whole, checked in a temporary copy,
 * and the others as damaged. `faults` takes the damage, and reports that cannot be read. Throws a `LogError` where
 * nothing can be read.
 */
export async function* checkedRunsOfDamaged(
  session: Session,
  damage: LogError,
  faults: StoreFault[],
): AsyncGenerator<Checked> {
  const file = damage.store;
  const salvaged = await salvageLog(file);
  try {
    const lost = salvaged.runs.filter(({ saved, known }) => saved < known || saved === 0);
    faults.push({ place: 'the log', reason: damage.detail, remedy: damage.remedy });
    for (const { report, reason: because } of salvaged.reports.lost)
      if (!lost.some(({ run }) => report.startsWith(`${run}/`)))
        faults.push({ place: `outbox, report ${report}`, reason: because, remedy: RESTORE });
    for (const { command, reason } of salvaged.commands.lost)
      faults.push({ place: `inbox, command ${command}`, reason, remedy: RESTORE });
    for (const { run, saved, fault } of lost) {
      const because = saved === 0 ? fault : null;
      yield { file, kind: 'damaged', run, version: saved + 1, reason: because ?? 'no event that follows can be read' };
    }
    if (!salvaged.isWritten) return;
    const loops = await session.loopsOfCopy(salvaged.path, { runs: 'all', otherwise: 'warn' });
    try {
      const isLost = new Set(lost.map(({ run }) => run));
      const whole = (await loops.log.runs()).filter(({ run }) => !isLost.has(run));
      for await (const one of checkedRuns(loops, whole, faults)) yield { ...one, file };
    } finally {
      await loops.log.close();
    }
  } finally {
    await salvaged.remove();
  }
}
