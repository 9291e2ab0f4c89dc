import type { SessionInfo } from '@agentclientprotocol/sdk';
import type { Log } from '../../log/log.ts';
import { oneLine } from '../../projections/phrases.ts';
import { readSettings } from '../../runtime/read-settings.ts';

/** The newest runs that are looked at: those of before are found by their id. */
const MAX_RUNS = 200;
const MAX_TITLE_CHARS = 120;

/** The threads of a folder, each by its first run, which is the id of its session: the newest change first. */
export async function listedSessions(log: Log, directory: string): Promise<SessionInfo[]> {
  const { runs } = await log.newest(MAX_RUNS);
  const sessions = new Map<string, SessionInfo>();
  const firstOf = new Map<string, string>();
  // A run is newer than the one that it continues.
  for (const { run, updatedAt } of runs.toSorted((one, other) => one.run.localeCompare(other.run))) {
    const settings = await readSettings(log, run);
    if (!settings || (settings.isolation?.origin ?? settings.directory) !== directory) continue;
    const before = settings.thread?.continues ?? null;
    const first = before === null ? run : (firstOf.get(before) ?? before);
    firstOf.set(run, first);
    const title = sessions.get(first)?.title ?? oneLine(settings.prompt, MAX_TITLE_CHARS);
    sessions.set(first, { sessionId: first, cwd: directory, title, updatedAt });
  }
  return [...sessions.values()].toSorted((one, other) => (other.updatedAt ?? '').localeCompare(one.updatedAt ?? ''));
}
