import { commandFaults } from '../../replay/command-faults.ts';
import { replay } from '../../replay/replay-run.ts';
import { LogError, type StoreFault } from '../../log/log.ts';
import type { EventStore, RunRecord } from '../../log/event-store.ts';
import { runOfEffect } from '../../log/effect-names.ts';
import { modulesIn } from '../../app/records/modules-of-record.ts';
import { asJson } from '../pages/as-json.ts';
import { type Checked, checkedPage, faultRow, rowOf, summaryOf } from '../pages/check-page.ts';
import { usage } from '../pages/complaint.ts';
import { EXIT } from '../terminal/exit-status.ts';
import { checkedRuns, checkedRunsOfDamaged } from '../args/check-runs.ts';
import { findRun } from '../args/find-run.ts';
import { isPlace, recordedFiles } from '../args/files-of-record.ts';
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
  const opened = await openedLog(session, words, last, faults);
  if (opened instanceof LogError) return yield* checkedRunsOfDamaged(session, opened, faults);
  try {
    yield* checkedRuns(opened.loops, opened.asked, faults);
  } finally {
    await opened.loops.log.close();
  }
}

/** A `LogError` as the result: all of the log was asked for, and it cannot be read as a whole. */
async function openedLog(session: Session, words: readonly string[], last: boolean, faults: StoreFault[]) {
  const isWhole = words.length === 0 && !last;
  const named = (words.length === 0 ? [undefined] : words).map((run) => ({ run, last }));
  try {
    const loops = await session.loops('read', { runs: isWhole ? 'all' : named, otherwise: 'warn' });
    const records = await loops.log.runs();
    const asked = isWhole ? records : await withThoseBelow(loops.log, records, words, last);
    if (isWhole) faults.push(...(await loops.log.audit()), ...(await commandFaults(loops.log, loops.definitions)));
    if (asked.length === 0 && faults.length === 0)
      throw usage('RUN', 'a run; this log has none yet', 'nothing', ['run', '--help']);
    return { loops, asked };
  } catch (error) {
    if (isWhole && error instanceof LogError && error.kind === 'damaged') return error;
    throw error;
  }
}

/** A run with its attempts and its delegated work. */
async function withThoseBelow(
  log: EventStore,
  records: readonly RunRecord[],
  words: readonly string[],
  last: boolean,
): Promise<readonly RunRecord[]> {
  // What is wrong with a run is what this verb tells of it: the log itself would refuse to give it.
  const listed = {
    run: async (run: string) => records.find((one) => one.run === run) ?? null,
    runs: async () => records,
    newest: (most: number) => log.newest(most),
  };
  const named = await Promise.all(
    (words.length === 0 ? [undefined] : words).map((run) => findRun(listed, { run, last })),
  );
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
