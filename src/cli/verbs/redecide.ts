import { flagOf } from '../../config/names.ts';
import type { Loops } from '../../hosts/local/loops.ts';
import { OptionsError } from '../../hosts/local/options-error.ts';
import type { RunRecord } from '../../log/log.ts';
import { readSummary } from '../../projections/read-summary.ts';
import { plain } from '../../projections/wording.ts';
import { tallied } from '../../redecide/tally.ts';
import type { RedecidedTree } from '../../redecide/tree.ts';
import { notFoldedSentence } from '../../runtime/unfoldable.ts';
import { asJson } from '../as-json.ts';
import { usage } from '../complaint.ts';
import { findRun, shortId } from '../find-run.ts';
import { redecidedPage } from '../redecided-page.ts';
import { judgeTable } from '../judge-table.ts';
import { refusal } from '../refusal.ts';
import { changesOf, type JudgeFlags } from '../run-flags.ts';
import type { OwnLoopsOf, Session } from '../session.ts';

interface Flags extends JudgeFlags {
  readonly all?: boolean;
  readonly last?: boolean;
  readonly json?: boolean;
}

/** One who is asked in the judge's place, and what to call him. */
interface Judge {
  readonly name: string;
  readonly options: ReturnType<typeof changesOf>['changes'];
}

interface Asked {
  readonly judge: string;
  readonly trees: readonly RedecidedTree[];
}

/** What another judge would have decided over recorded runs: one run in full, several as a table, a line for each judge. */
export async function redecide(session: Session, ids: readonly string[], flags: Flags): Promise<number> {
  const { out, err } = session.streams;
  const judges = judgesIn(flags);
  const loops = await session.loops('read', ownLoopsOf(ids, flags));
  const records = await chosen(loops, ids, flags);
  const runs = await askable(records, loops, flags, (line) => err.line(line));
  const asked: Asked[] = [];
  for (const { name, options } of judges) {
    const trees: RedecidedTree[] = [];
    for (const { run } of runs) {
      const judged = await loops.redecide(run, options);
      if (judged.kind === 'redecided') trees.push(judged.tree);
      else if (records.length === 1 || judged.kind === 'unknown_run') throw refusal(judged, run);
      else err.line(`left out: ${plain(notFoldedSentence(judged, run))}`);
    }
    asked.push({ judge: name, trees });
  }
  await loops.log.close();
  const [first] = asked;
  const [only] = first?.trees ?? [];
  if (first && only && asked.length === 1 && records.length === 1 && !flags.all) {
    if (flags.json) out.line(asJson({ judge: first.judge, ...only }, 2));
    else for (const line of redecidedPage(first.judge, only, loops.definitions, out.colours)) out.line(line);
    return 0;
  }
  if (flags.json) out.line(asJson(asked.map(({ judge, trees }) => ({ judge, ...tallied(trees), trees: trees.map(briefly) })), 2));
  else for (const line of judgeTable(asked.map(({ judge, trees }) => ({ judge, tally: tallied(trees) })))) out.line(line);
  return 0;
}

function judgesIn(flags: Flags): readonly Judge[] {
  const { strategy: strategies = [], ...others } = flags;
  const asked = strategies.length === 0 ? [undefined] : strategies;
  return asked.map((strategy) => {
    const { changes, faults } = changesOf({ ...others, ...(strategy === undefined ? {} : { strategy }) });
    if (faults.length > 0) throw new OptionsError(faults);
    return { name: strategy ?? nameOf(flags), options: changes };
  });
}

/** Where no strategy takes the place of the recorded one, the others who judge are named. */
function nameOf({ detectors, ...limits }: Flags): string {
  if (detectors !== undefined) return detectors;
  const caps = Object.entries(limits).filter(([name]) => name.startsWith('max')).map(([name, value]) => `${flagOf(name)} ${value}`);
  return caps.join(', ') || 'the judge of today';
}

async function chosen({ log }: Loops, ids: readonly string[], { all = false, last = false }: Flags): Promise<readonly RunRecord[]> {
  if (all && (ids.length > 0 || last)) {
    throw usage('RUN', 'either --all or the ids of runs', `${ids.length > 0 ? `'${ids.join(' ')}'` : '--last'} and --all`);
  }
  if (all) return (await log.runs()).filter(({ parentEffect }) => parentEffect === null);
  if (ids.length === 0) return [await findRun(log, { run: undefined, last })];
  return Promise.all(ids.map((run) => findRun(log, { run, last })));
}

/** Of several, those that cannot be judged are left out. */
const ownLoopsOf = (ids: readonly string[], { all = false, last = false }: Flags): OwnLoopsOf =>
  all ? { runs: 'all', otherwise: 'warn' } : { runs: (ids.length === 0 ? [undefined] : ids).map((run) => ({ run, last })), otherwise: ids.length < 2 ? 'refuse' : 'warn' };

/** To read a log runs nobody's code: a strategy of somebody's own is asked where it was named in this very command. */
async function askable(records: readonly RunRecord[], { log, definitions }: Loops, flags: Flags, say: (line: string) => void): Promise<readonly RunRecord[]> {
  if (flags.strategy) return records;
  const checked = await Promise.all(records.map(async (record) => ({ record, strategy: (await readSummary(log, record.run, definitions))?.strategy })));
  const own = checked.filter(({ strategy }) => strategy === 'custom').map(({ record }) => record);
  if (own.length > 0 && records.length === 1 && !flags.all) {
    throw usage('--strategy', 'the strategy to ask: the one of this run is code of somebody’s own, which is run only where it is named', 'nothing');
  }
  const leftOut = own.map(({ run }) => shortId(run)).join(', ');
  if (own.length > 0) say(`left out, for their strategies are code that was not named with --strategy: ${leftOut}`);
  return checked.filter(({ strategy }) => strategy !== 'custom').map(({ record }) => record);
}

const briefly = ({ redecided: { run }, conclusion, turn: first, differsFrom, isOpen, saved, judgements, agreeing }: RedecidedTree) => ({
  run, conclusion, turn: first, differsFrom, isOpen, saved, judgements, agreeing,
});
