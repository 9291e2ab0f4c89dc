import { lstat } from 'node:fs/promises';
import { collectGarbage, type Garbage } from '../../app/isolation/garbage.ts';
import type { LookedAt } from '../../app/isolation/collect.ts';
import { LogError, type Log } from '../../log/log.ts';
import { amount, grouped } from '../../text/money.ts';
import { parseDuration } from '../../text/duration.ts';
import { usage } from '../pages/complaint.ts';
import { asJson } from '../pages/as-json.ts';
import { shortId } from '../args/find-run.ts';
import type { Session } from '../session.ts';

const MEBIBYTE = 1024 * 1024;

export interface GcFlags {
  readonly dryRun?: boolean;
  readonly json?: boolean;
  /** A time such as `30d`. */
  readonly olderThan?: string;
}

/** Removes what runs that are gone have left in this repository. */
export async function gc(session: Session, { dryRun = false, json = false, olderThan }: GcFlags): Promise<number> {
  const { out, err } = session.streams;
  const olderThanMs = olderThan === undefined ? undefined : parseDuration(olderThan);
  if (olderThanMs === null) throw usage('--older-than', 'a time such as 30d or 12h', `'${olderThan}'`);
  const log = await logIfAny(session);
  const garbage = await collectGarbage(log, session.directory, { isDryRun: dryRun, olderThanMs });
  await log?.close();
  if (json) out.line(asJson(jsonOf(garbage, dryRun), 2));
  else for (const line of linesOf(garbage, dryRun)) out.brief(line);
  if (json) return 0;
  for (const { top, verdict } of garbage.kept) err.line(`kept ${top}: ${verdict.because}`);
  if (garbage.unknown.length > 0) err.line(unknownLine(garbage.unknown.length));
  return 0;
}

/** A project may have worktrees without a log: it was deleted, or is kept elsewhere. One that is there has to open. */
async function logIfAny(session: Session): Promise<Log | null> {
  try {
    return (await session.loops('read')).log;
  } catch (error) {
    if (error instanceof LogError && error.kind === 'unavailable' && !(await isThere(session))) return null;
    throw error;
  }
}

async function isThere(session: Session): Promise<boolean> {
  const { path, server } = await session.place();
  if (path === null) return server !== undefined;
  const isGone = ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR';
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => !isGone(error),
  );
}

function linesOf({ removed, kept, forgotten, pruned, unfinished }: Garbage, isDryRun: boolean): string[] {
  const verb = isDryRun ? 'would remove' : 'removed';
  const worktrees = removed.map(
    ({ top, run, verdict, bytes }) =>
      `${verb} ${top}${run === null ? '' : ` of run ${shortId(run)}`}: ${verdict.because}${freed(bytes)}`,
  );
  const captures = forgotten.map((run) => `${verb} the captures of run ${run}: its log does not have it`);
  const between = pruned.captures === 0 ? [] : [`${verb} ${prunedText(pruned)}`];
  const files = unfinished.map((path) => `${verb} ${path}: a process that was killed left it unfinished`);
  const lines = [...worktrees, ...captures, ...between, ...files];
  if (lines.length > 0) return [...lines, `${total(removed)} of worktrees in all`];
  return [kept.length > 0 ? 'nothing can be removed now' : 'nothing is left over'];
}

const prunedText = ({ captures, runs }: Garbage['pruned']) =>
  `${grouped(captures)} trees between start and end of ${amount(runs, 'run')} that ended long ago`;

const unknownLine = (runs: number) =>
  `kept the captures of ${runs} ${runs === 1 ? 'run' : 'runs'}: which log has them is not known, or it cannot be read. ` +
  'If you have moved that log, name it with --log';
const freed = (bytes: number | null) => (bytes === null ? '' : `, ${size(bytes)}`);
const total = (removed: readonly LookedAt[]) => size(removed.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0));
const size = (bytes: number) => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;

const jsonOf = ({ removed, kept, forgotten, unknown, pruned, unfinished }: Garbage, isDryRun: boolean) => ({
  dryRun: isDryRun,
  removed: removed.map(worktreeOf),
  kept: kept.map(worktreeOf),
  captures: forgotten,
  capturesKept: unknown,
  pruned,
  unfinished,
});

const worktreeOf = ({ top, run, verdict, bytes }: LookedAt) => ({
  worktree: top,
  run,
  because: verdict.because,
  bytes,
});
