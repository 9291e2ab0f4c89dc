import { readRecord } from '../../git/bring/change-record.ts';
import { runRefs } from '../../git/run-refs.ts';
import type { AppHost } from '../app-host.ts';
import type { KnownRun } from './run-sides.ts';

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
