import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { LogError, LEAVE_OUT, type StoreFault } from '../log/log.ts';
import type { EventStore } from '../log/event-store.ts';
import type { OutboxStore, Report } from '../log/outbox-store.ts';
import { Activities, type FoldedActivity } from '../projections/activities.ts';
import { readableFacts } from '../projections/read-summary.ts';
import { readSettings } from '../runtime/read-settings.ts';
import { bodyOf } from '../runtime/commit.ts';
import { excerpt } from '../text/excerpt.ts';
import { jsonIn } from '../text/json-in.ts';

type Body = { readonly [member: string]: unknown };

const MAX_VALUE_CHARS = 100;
/** Compared with the event itself by the audit of the store, also where a loop is not known. */
const OF_THE_EVENT = ['run', 'at'];

/**
 * Computes again, from the facts of a run, what its reports to webhooks say: status, reason, iteration and label. For a
 * run whose history was verified and folds here. Reports that were delivered are compared as long as they are kept.
 */
export async function reportFaults(
  log: EventStore & OutboxStore,
  run: string,
  loops: readonly LoopDefinition[],
): Promise<readonly StoreFault[]> {
  try {
    const reports = await log.reports(run);
    return reports.length === 0 ? [] : await comparedReports(log, run, loops, reports);
  } catch (error) {
    if (!(error instanceof LogError) || error.kind !== 'damaged') throw error;
    return [{ place: `outbox, reports of run ${run}`, reason: error.message, remedy: LEAVE_OUT }];
  }
}

/** As `reportFaults`, for some reports of the run. Throws a `LogError` where its events cannot be read. */
export async function comparedReports(
  log: EventStore,
  run: string,
  loops: readonly LoopDefinition[],
  reports: readonly Report[],
): Promise<readonly StoreFault[]> {
  const settings = await readSettings(log, run);
  if (!settings) return [];
  const activities = await activitiesOf(log, run, loops);
  if (activities === null) return [];
  return reports.flatMap(({ id, url, body }) => {
    const activity = activities.get(id);
    const webhook = settings.webhooks?.find((one) => one.url === url);
    const reasons = activity
      ? [
          ...(webhook?.statuses.includes(activity.status) === false
            ? [`its run does not report ${activity.status}`]
            : []),
          ...differences(Object(jsonIn(body)) as Body, { ...bodyOf(run, settings, activity) }),
        ]
      : ['its event is nothing that a run reports'];
    return reasons.map((reason) => ({ place: `outbox, report ${id}`, reason, remedy: LEAVE_OUT }));
  });
}

/** By the ids of their reports. Null: the loop is not known here. */
async function activitiesOf(
  log: EventStore,
  run: string,
  loops: readonly LoopDefinition[],
): Promise<ReadonlyMap<string, FoldedActivity> | null> {
  const activities = new Activities(loops);
  const found = new Map<string, FoldedActivity>();
  for await (const fact of readableFacts(log, run, loops)) {
    const activity = activities.observe(fact);
    if (!activities.isKnown) return null;
    if (activity) found.set(`${activity.run}/${activity.version}`, activity);
  }
  return found;
}

function differences(told: Body, expected: Body): string[] {
  const members = [...new Set([...Object.keys(expected), ...Object.keys(told)])];
  return members
    .filter((member) => !OF_THE_EVENT.includes(member) && told[member] !== expected[member])
    .map((member) => `its ${member} is ${text(told[member])}, and ${text(expected[member])} by the events of its run`);
}

const text = (value: unknown): string =>
  value === undefined ? 'not there' : excerpt(JSON.stringify(value) ?? '', MAX_VALUE_CHARS);
