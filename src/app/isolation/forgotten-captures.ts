import { allRunRefs, forgetRuns, packRefs } from '../../git/worktree/remove-worktree.ts';
import { type RunLog, runLogs } from '../../git/run-refs.ts';
import { isKnownDead } from '../../log/holder.ts';
import { addressOf, isFileAddress } from '../../log/log-files.ts';
import type { Log } from '../../log/log.ts';
import { MEMORY, openStore } from '../../log/open-store.ts';
import { assertSound } from './assert-sound.ts';

/** Captures of a run that its log does not have are kept this long after the run began, or last left its workspace. */
export const GONE_CAPTURES_KEPT_MS = 7 * 24 * 3_600_000;

interface Forgetting {
  /** The git directory. */
  readonly repository: string;
  /** The log of the process that asks. */
  readonly log: Log | null;
  /** The default log of the project: the path of a file. */
  readonly beside: string;
  readonly isDryRun: boolean;
  readonly now: number;
  /** Runs whose captures are kept. */
  readonly kept: ReadonlySet<string>;
}

interface Forgotten {
  /** Runs whose captures were removed. */
  readonly forgotten: readonly string[];
  /** Runs whose captures stay: it is not known which log has them, or that log cannot be read. */
  readonly unknown: readonly string[];
}

/** Removes the captures of runs that their own log has no more. Several logs may have runs of one repository. */
export async function forgetCaptures(forgetting: Forgetting): Promise<Forgotten> {
  const { repository, log, beside, isDryRun, now, kept } = forgetting;
  const inGit = [...new Set((await allRunRefs(repository)).map(({ run }) => run))];
  const logs = await runLogs(inGit, { directory: repository });
  const runsAt = reader(log);
  const known = new Set([...((log && (await runsOf(log))) ?? []), ...((await runsAt(beside)) ?? [])]);
  const [forgotten, unknown]: [string[], string[]] = [[], []];
  for (const run of inGit.filter((one) => !known.has(one) && !kept.has(one))) {
    const found = logs.get(run);
    const has = found ? await hasRun(found, run, runsAt) : null;
    if (has === null) unknown.push(run);
    else if (!has && found && now - Date.parse(found.at) > GONE_CAPTURES_KEPT_MS) forgotten.push(run);
  }
  if (isDryRun) return { forgotten, unknown };
  await forgetRuns(forgotten, repository);
  // Where git cannot, as when another process packs them, they are only slower to list.
  if (inGit.length > forgotten.length) await packRefs(repository).catch(() => {});
  return { forgotten, unknown };
}

/** The runs of a log. Null: it is not there, cannot be read, or is damaged. */
type RunsAt = (store: string) => Promise<ReadonlySet<string> | null>;

/** Whether its log has a run. Null: unknown. A log in memory has its runs while its process lives. */
async function hasRun({ store, by }: RunLog, run: string, runsAt: RunsAt): Promise<boolean | null> {
  if (store === MEMORY) return !isKnownDead(by);
  const runs = await runsAt(store);
  return runs && runs.has(run);
}

/** Opens each log once. */
function reader(log: Log | null): RunsAt {
  const found = new Map<string, Promise<ReadonlySet<string> | null>>();
  const read = async (store: string) => {
    if (log && addressOf(log) === store) return runsOf(log);
    if (!isFileAddress(store)) return null;
    try {
      const other = await openStore({ path: store }, 'read');
      return await assertSound(other)
        .then(() => runsOf(other))
        .finally(() => other.close());
    } catch {
      return null;
    }
  };
  return (store) => {
    const runs = found.get(store) ?? read(store);
    found.set(store, runs);
    return runs;
  };
}

const runsOf = async (log: Log): Promise<ReadonlySet<string>> => new Set((await log.runs()).map(({ run }) => run));
