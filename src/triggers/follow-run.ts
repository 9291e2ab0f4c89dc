import type { App } from '../app/app.ts';
import { Reading } from '../log/reading.ts';
import { Activities } from '../projections/activities.ts';
import type { Activity } from '../kernel/effect-handlers.ts';
import { head } from '../text/excerpt.ts';
import { codeSpan } from '../text/markdown-text.ts';
import { visible } from '../text/visible.ts';
import type { HookEvent } from './hook-event.ts';

const MAX_TITLE_CHARS = 500;
const MAX_BODY_CHARS = 30_000;
const MAX_REASON_CHARS = 300;
/** The newest lines of a comment. */
const MAX_LINES = 50;

/** The task of a run: the text of an issue, which is only a text. */
export function promptOf({ title, body, url }: Pick<HookEvent, 'title' | 'body' | 'url'>): string {
  const about = head(visible(title), MAX_TITLE_CHARS).trim();
  const text = head(visible(body), MAX_BODY_CHARS).trim();
  return [about, text, `(${head(visible(url), MAX_TITLE_CHARS)})`].filter((part) => part !== '').join('\n\n');
}

/** One line about an activity of a run. */
function activityLine({ status, iteration, maxIterations, reason }: Activity): string {
  const round = maxIterations === null ? `${iteration}` : `${iteration}/${maxIterations}`;
  switch (status) {
    case 'started':
      return 'started';
    case 'continuing':
      return `continuing to iteration ${round}`;
    case 'quiet':
      return codeSpan(reason, MAX_REASON_CHARS);
    case 'completed':
      return `completed: ${codeSpan(reason, MAX_REASON_CHARS)}`;
    case 'max_iterations':
      return `reached its limit of iterations (${round})`;
    case 'stopped':
      return `stopped: ${codeSpan(reason, MAX_REASON_CHARS)}`;
  }
}

/** The whole comment of a run. */
export const commentText = (run: string, lines: readonly string[]): string =>
  [
    `**loopfold** works on this (run ${codeSpan(run, 36)})`,
    '',
    ...lines.slice(-MAX_LINES).map((line) => `- ${line}`),
  ].join('\n');

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
