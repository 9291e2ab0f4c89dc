import type { App } from '../app/app.ts';
import { Reading } from '../log/reading.ts';
import { Activities } from '../projections/activities.ts';
import { activityLine } from './trigger-text.ts';

export interface Following {
  readonly run: string;
  readonly signal: AbortSignal;
  /** Gets all lines so far, each time there is another one. */
  readonly tell: (lines: readonly string[]) => void;
}

/**
 * Follows a run by its log, whichever process works on it, from its beginning to its end, and tells of its activities.
 * Returns its ending, or null where the signal came first.
 */
export async function followRun(
  { log, definitions }: Pick<App, 'log' | 'definitions'>,
  { run, signal, tell }: Following,
): Promise<string | null> {
  const reading = new Reading(definitions);
  const activities = new Activities(definitions);
  const lines = ['started'];
  tell(lines);
  for await (const envelope of log.follow(run, { from: 1, signal })) {
    const read = reading.read(envelope);
    const activity = read.kind === 'event' ? activities.observe(read.event) : null;
    if (!activity || activity.status === 'started') continue;
    lines.push(activityLine(activity));
    tell(lines);
  }
  const { closed = null } = (await log.run(run)) ?? {};
  // A loop without rounds tells of none.
  if (closed !== null && lines.length === 1) tell([...lines, `ended: ${closed}`]);
  return closed;
}
