import type { App } from '../../app/app.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { readSummary } from '../../projections/read-summary.ts';
import { runsUserCode } from '../../strategies/strategy-kinds.ts';
import { usage } from '../pages/complaint.ts';
import { findRun, shortId } from './find-run.ts';
import type { OwnLoopsOf } from './runs-to-load.ts';
import { OptionsError } from '../../app/start/options-error.ts';
import { flagOf } from '../../options/option-table.ts';
import { changesOf, type JudgeFlags } from './run-flags.ts';

/** The runs that the arguments name. */
export async function chosenRuns(
  { log }: App,
  ids: readonly string[],
  { all = false, last = false }: RedecideFlags,
): Promise<readonly RunRecord[]> {
  if (all && (ids.length > 0 || last)) {
    throw usage(
      'RUN',
      'either --all or the ids of runs',
      `${ids.length > 0 ? `'${ids.join(' ')}'` : '--last'} and --all`,
    );
  }
  if (all) return (await log.runs()).filter(({ parentEffect }) => parentEffect === null);
  if (ids.length === 0) return [await findRun(log, { run: undefined, last })];
  return Promise.all(ids.map((run) => findRun(log, { run, last })));
}

/** With several runs, those that cannot be judged are left out. */
export const ownLoopsOf = (ids: readonly string[], { all = false, last = false }: RedecideFlags): OwnLoopsOf =>
  all
    ? { runs: 'all', otherwise: 'warn' }
    : {
        runs: (ids.length === 0 ? [undefined] : ids).map((run) => ({ run, last })),
        otherwise: ids.length < 2 ? 'refuse' : 'warn',
      };

/** Reading a log runs no user's code: a custom strategy is asked only if this command names it. */
export async function askableRuns(
  records: readonly RunRecord[],
  { log, definitions }: App,
  flags: RedecideFlags,
  say: (line: string) => void,
): Promise<readonly RunRecord[]> {
  if (flags.strategy) return records;
  const checked = await Promise.all(
    records.map(async (record) => ({ record, strategy: (await readSummary(log, record.run, definitions))?.strategy })),
  );
  const own = checked.filter(({ strategy }) => runsUserCode(strategy)).map(({ record }) => record);
  if (own.length > 0 && records.length === 1 && !flags.all) {
    throw usage(
      '--strategy',
      'the strategy to ask: this run has a custom one, whose code runs only if the command names it',
      'nothing',
    );
  }
  const leftOut = own.map(({ run }) => shortId(run)).join(', ');
  if (own.length > 0) say(`left out, for their strategies are code that was not named with --strategy: ${leftOut}`);
  return checked.filter(({ strategy }) => !runsUserCode(strategy)).map(({ record }) => record);
}

export interface RedecideFlags extends JudgeFlags {
  readonly all?: boolean;
  readonly last?: boolean;
  readonly json?: boolean;
}

/** A judge to ask in place of the recorded one, with its name. */
export interface Judge {
  readonly name: string;
  readonly options: ReturnType<typeof changesOf>['changes'];
}

/** The judges that the flags name: one for each strategy, or one without a strategy. */
export function judgesIn(flags: RedecideFlags): readonly Judge[] {
  const { strategy: strategies = [], ...others } = flags;
  const asked = strategies.length === 0 ? [undefined] : strategies;
  return asked.map((strategy) => {
    const { changes, faults } = changesOf({ ...others, ...(strategy === undefined ? {} : { strategy }) });
    if (faults.length > 0) throw new OptionsError(faults);
    return { name: strategy ?? nameOf(flags), options: changes };
  });
}

/** The judge's name if no strategy is named: its detectors and limits. */
function nameOf({ detectors, ...limits }: RedecideFlags): string {
  if (detectors !== undefined) return detectors;
  const caps = Object.entries(limits)
    .filter(([name]) => name.startsWith('max'))
    .map(([name, value]) => `${flagOf(name)} ${value}`);
  return caps.join(', ') || 'the judge of today';
}
