import type { Effective } from '../../config/load-config.ts';
import type { LoopsOptions } from '../hosts.ts';
import { recordedModules } from '../../app/records/modules-of-record.ts';
import { MEMORY, openStore, type StorePlace } from '../../log/open-store.ts';
import { storePlace } from '../../app/store-place.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Log } from '../../log/log.ts';
import { plain } from '../../projections/phrases.ts';
import type { LoopsOf } from '../../projections/read-inbox.ts';
import { usage } from '../pages/complaint.ts';
import { assertNoRun } from './run-around.ts';
import { recordedLoops } from './own-loops.ts';
import { type OwnLoopsOf, runsToLoad } from './runs-to-load.ts';
import { askingFor, type Called, type Mode } from './session-config.ts';

export type { McpServers } from '../../agents/mcp/mcp-servers.ts';
export type LogPlace = StorePlace;
export type { OwnLoopsOf } from './runs-to-load.ts';
export type { LoopsOf } from '../../projections/read-inbox.ts';

/** What only some verbs give to `Loops`. */
export type MoreLoopsOptions = Pick<LoopsOptions, 'captures' | 'watch'>;

const isServer = (log = ''): boolean => /^[a-z]+:\/\/|^postgres/.test(log);

/** A log in memory ends with its process. */
export const isInMemory = (log: string | undefined): boolean => log === MEMORY;

/** Where the log of a call lies. Throws a `Complaint` if its address is unknown. */
export async function logPlace({ values }: Effective, directory: string): Promise<LogPlace> {
  return storeAt('--log', values.log, directory);
}

/** The place that an address of an option names. Throws a `Complaint` that does not repeat what may hold a password. */
export async function storeAt(option: string, address: string | undefined, directory: string): Promise<LogPlace> {
  const place = await storePlace(address, directory);
  if (typeof place !== 'string') return place;
  throw usage(option, place, isServer(address) ? 'another one' : `'${address}'`);
}

/**
 * Opens a log that exists. Throws a `Complaint` for one in memory, and an `InsideRunError` where a run of the log calls
 * what only a person may decide.
 */
export async function existingLog(place: LogPlace, mode: Mode, called: Pick<Called, 'verb' | 'flags'>): Promise<Log> {
  if (place.path === null && !place.server)
    throw usage('--log', 'sqlite:PATH: a log in memory is gone with its process', "'memory:'");
  const log = await openStore(place, mode === 'read' ? 'read' : 'write');
  try {
    await assertNoRun(log, called);
    return log;
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** A log that keeps nothing, in place of one that lies somewhere, whose files are no work of a run. */
export const noLog = async ({ path }: LogPlace): Promise<Log> => ({
  ...(await openStore({ path: null }, 'read')),
  ...(path === null ? {} : { store: path }),
});

/** The users' own loops that these runs, and the runs below them, were started with. */
export async function loopsOfRuns(
  log: Log,
  own: OwnLoopsOf,
  called: Pick<Called, 'streams' | 'flags'>,
): Promise<readonly LoopDefinition[]> {
  const modules = await recordedModules(log, await runsToLoad(log, own));
  return recordedLoops(modules, own.otherwise, askingFor(called, own.otherwise !== 'refuse'));
}

/** The loops of runs that turn up later: each module is loaded once, when the first of its runs does. */
export function loopsAsNeeded(
  log: Log,
  known: readonly LoopDefinition[],
  called: Pick<Called, 'streams' | 'flags'>,
): LoopsOf {
  const asked = new Set<string>();
  let loops = known;
  return async (runs) => {
    const modules = await recordedModules(log, runs);
    const others = modules.filter(({ machine, file }) => !asked.has(`${machine} ${file}`));
    for (const { machine, file } of others) asked.add(`${machine} ${file}`);
    loops = namedFirst(loops, await recordedLoops(others, 'ignore', askingFor(called, true)));
    return loops;
  };
}

/** A loop that was named goes before one of the same name and version that was recorded. */
export const namedFirst = (
  named: readonly LoopDefinition[],
  recorded: readonly LoopDefinition[],
): readonly LoopDefinition[] => [...named, ...recorded.filter(({ id }) => !named.some((one) => one.id === id))];

/** Warnings go to stderr. */
export const warnIn =
  ({ streams }: Pick<Called, 'streams'>) =>
  (message: string): void =>
    streams.err.line(`warning: ${plain(message)}`);
