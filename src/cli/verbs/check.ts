import { checkLog } from '../../replay/check-log.ts';
import { replay } from '../../replay/replay-run.ts';
import { reportFaults } from '../../replay/report-faults.ts';
import type { EventStore, RunRecord } from '../../log/event-store.ts';
import type { StoreFault } from '../../log/store-audit.ts';
import { runOfEffect } from '../../log/effect-names.ts';
import { modulesIn } from '../../hosts/local/recorded-modules.ts';
import { asJson } from '../pages/as-json.ts';
import { type Checked, checkedPage, faultRow, rowOf, summaryOf } from '../pages/checked-page.ts';
import { usage } from '../pages/complaint.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { findRun } from '../args/find-run.ts';
import { judgedNow } from '../args/judged-now.ts';
import { isPlace, recordedFiles } from '../args/recorded-files.ts';
import type { Session } from '../session.ts';

interface Flags {
  readonly last?: boolean;
  readonly json?: boolean;
}

/**
 * Replays recorded runs, of the log or of files, on the current machines, judges those of the log again, compares what
 * they have told webhooks, and reports differences. Without runs and files it reads the rest of the log as well:
 * leases, commands, reports, stored states. Changes nothing.
 */
export async function check(session: Session, words: readonly string[], flags: Flags): Promise<number> {
  const { out } = session.streams;
  const { places, runs } = await sorted(words, session.directory);
  const checked: Checked[] = [];
  const faults: StoreFault[] = [];
  const add = (one: Checked, isOfFiles = false) => {
    checked.push(one);
    if (!flags.json) out.line(rowOf(one, out.colours, isOfFiles));
  };
  if (runs.length > 0 || flags.last || places.length === 0) {
    for await (const one of ofLog(session, runs, flags, faults)) add(one);
  }
  for (const place of places) for await (const one of ofFiles(place, session)) add(one, true);
  const summary = summaryOf(checked, faults);
  if (flags.json) out.line(asJson({ summary, runs: checked, store: faults }, 2));
  else {
    for (const fault of faults) out.line(faultRow(fault, out.colours));
    for (const line of checkedPage(checked, faults, out.colours)) out.line(line);
  }
  return faults.length === 0 && summary.same === summary.runs && summary.judgedOtherwise === 0
    ? EXIT.success
    : EXIT.log;
}

async function sorted(words: readonly string[], directory: string) {
  const are = await Promise.all(words.map((word) => isPlace(word, directory)));
  return { places: words.filter((_, index) => are[index]), runs: words.filter((_, index) => !are[index]) };
}

/** `faults`: takes what is wrong with reports of the runs, and, where all of the log is asked for, beside its runs. */
async function* ofLog(
  session: Session,
  words: readonly string[],
  { last = false }: Flags,
  faults: StoreFault[],
): AsyncGenerator<Checked> {
  const isWhole = words.length === 0 && !last;
  const named = (words.length === 0 ? [undefined] : words).map((run) => ({ run, last }));
  const loops = await session.loops('read', {
    runs: isWhole ? 'all' : named,
    otherwise: 'warn',
  });
  const { log, definitions } = loops;
  try {
    const records = await log.runs();
    const asked = isWhole ? records : await withThoseBelow(log, records, words, last);
    if (isWhole) faults.push(...(await log.audit()));
    if (asked.length === 0 && faults.length === 0)
      throw usage('RUN', 'a run; this log has none yet', 'nothing', ['run', '--help']);
    for await (const replayed of checkLog(log, asked, definitions)) {
      if (replayed.kind === 'same') faults.push(...(await reportFaults(log, replayed.run, definitions)));
      const judged = replayed.kind === 'same' ? { judged: await judgedNow(loops, replayed.run) } : {};
      yield { file: log.store, ...replayed, ...judged };
    }
  } finally {
    await log.close();
  }
}

/** A run with its attempts and its delegated work. */
async function withThoseBelow(
  log: EventStore,
  records: readonly RunRecord[],
  words: readonly string[],
  last: boolean,
): Promise<readonly RunRecord[]> {
  const named = await Promise.all((words.length === 0 ? [undefined] : words).map((run) => findRun(log, { run, last })));
  const asked = new Set(named.map(({ run }) => run));
  // A child was opened after its parent.
  for (const { run, parentEffect } of records)
    if (parentEffect !== null && asked.has(runOfEffect(parentEffect))) asked.add(run);
  return records.filter(({ run }) => asked.has(run));
}

async function* ofFiles(place: string, session: Session): AsyncGenerator<Checked> {
  for await (const { file, read } of recordedFiles(place, session.directory)) {
    if (read.kind === 'malformed') {
      yield { file, kind: 'damaged', run: null, line: read.line, reason: read.because };
      continue;
    }
    const starts = read.history.lines.filter(({ type }) => type === 'run.started');
    const loops = await session.loopsFrom(modulesIn(starts));
    for (const one of read.recordings)
      if ('kind' in one) yield { file, ...one };
      else yield { file, ...(await replay(one, loops)), ...(one.isVerified === false ? { unverified: true } : {}) };
  }
}
