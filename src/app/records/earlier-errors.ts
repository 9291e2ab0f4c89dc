import type { EventOf } from '../../../machines/events.ts';
import { failedChecks, reportOf } from '../../strategies/report.ts';
import { givenFolder } from '../../actors/capture-repository.ts';
import { readEvents } from '../../log/reading.ts';
import type { ConversationSource } from './earlier-conversations.ts';
import type { EarlierErrors, ReportedError, ChecksOf } from '../../ports/effect-records.ts';

/** For hosts without a log of their own. */
export const noChecks: ChecksOf = async () => null;

/** Finds them in a log. */
export const checksIn =
  ({ log, loops }: ConversationSource): ChecksOf =>
  async (run) => {
    let newest: EventOf<'verification.completed'>['payload'] | null = null;
    for await (const read of readEvents(log, run, loops))
      if (read.kind === 'event' && read.event.type === 'verification.completed') newest = read.event.payload;
    return newest;
  };

/** The newest runs that are read for errors, and how many events of all of them. */
const MAX_RUNS = 100;
const MAX_EVENTS = 20_000;
/** How a run ends that has nothing to tell. */
const SUCCESS = 'success';

/** For hosts without a log of their own. */
export const noErrors: EarlierErrors = async () => [];

/**
 * Reads the errors of runs that ended without success, the newest first: what their newest checks said, and the error
 * that ended them, unless it was one of their model. Runs of the tree of the given run are left out.
 */
export const earlierErrorsIn =
  (source: ConversationSource): EarlierErrors =>
  async (run, settings) => {
    const { log } = source;
    const own = (await log.run(run))?.root ?? run;
    const others = (await log.runs())
      .filter(({ root, closed }) => root !== own && closed !== null && closed !== SUCCESS)
      .slice(-MAX_RUNS)
      .toReversed();
    const found: ReportedError[] = [];
    let room = MAX_EVENTS;
    for (const other of others) {
      room -= other.version;
      if (room < 0) break;
      found.push(...(await errorsOf(other.run, givenFolder(settings), source)));
    }
    return found;
  };

async function errorsOf(
  run: string,
  place: string,
  { log, loops }: ConversationSource,
): Promise<readonly ReportedError[]> {
  let checks: EventOf<'verification.completed'>['payload'] | null = null;
  let ended: string | null = null;
  const ofModel = new Set<string>();
  for await (const read of readEvents(log, run, loops)) {
    if (read.kind !== 'event') continue;
    const { type, payload } = read.event;
    if (type === 'run.started' && givenFolder(payload.settings) !== place) return [];
    if (type === 'verification.completed') checks = payload;
    if (type === 'model.failed') ofModel.add(payload.fault.message);
    if (type === 'decision.made' && payload.sink?.ending === 'abort') ended = payload.sink.fault?.message ?? null;
  }
  const failed = checks ? failedChecks(reportOf(checks)) : [];
  return [
    ...failed.map(({ level, name, output }) => ({ text: `${level}/${name}: ${output}`, where: run })),
    ...(ended === null || ofModel.has(ended) ? [] : [{ text: ended, where: run }]),
  ];
}
