import type { Envelope } from '../../log/envelope.ts';
import type { ReadEvent } from '../../log/read-event.ts';
import { Reading } from '../../log/reading.ts';
import { unreadableSentence } from '../../log/unreadable.ts';
import { LoopInView } from '../../projections/loop-in-view.ts';
import { timelineEntry, unreadableEntry } from '../../projections/timeline.ts';
import { oneLine } from '../../projections/phrases.ts';
import { asJson } from '../pages/as-json.ts';
import { findRun, type RunReference } from '../args/find-run.ts';
import { listedHistory } from '../pages/history-list.ts';
import type { Output } from '../terminal/output.ts';
import type { Session } from '../session.ts';
import { trackerLines } from '../pages/tracker-lines.ts';

const TYPE_WIDTH = 22;
const MAX_TYPE_CHARS = 60;

export interface EventsFlags {
  readonly json?: boolean;
  readonly follow?: boolean;
  /** The events that its loop has for trackers, in place of those that are recorded. */
  readonly tracker?: boolean;
}

/** Lists the events of a run, one line each; with `--follow`, until it has ended. */
export async function events(session: Session, reference: RunReference, flags: EventsFlags): Promise<number> {
  const { json = false, follow = false } = flags;
  const { out } = session.streams;
  const { log, definitions } = await session.reading({ runs: [reference], otherwise: 'warn' });
  const { run } = await findRun(log, reference);
  const { signal } = new AbortController();
  if (flags.tracker) {
    await trackerLines(out, follow ? log.follow(run, { signal }) : log.read(run), definitions);
    return listedHistory(log, run);
  }
  const reading = new Reading(definitions, { isWhole: true });
  const inView = new LoopInView(definitions);
  const how = { signal, salts: json };
  for await (const envelope of follow ? log.follow(run, how) : log.read(run, how)) {
    const read = reading.read(envelope);
    if (json)
      out.line(asJson(read.kind === 'event' ? envelope : { ...envelope, unreadable: unreadableSentence(read) }));
    else out.brief(line(envelope, read, inView, out));
    if (!out.isOpen) break;
  }
  return listedHistory(log, run);
}

function line(
  envelope: Envelope,
  read: ReadEvent,
  inView: LoopInView,
  { colours: { dim, cyan, yellow } }: Output,
): string {
  const { version, at, type, text } =
    read.kind === 'event'
      ? timelineEntry(read.event, inView.observe(read.event))
      : unreadableEntry(read, envelope.payload);
  const place = `${String(version).padStart(5)}  ${dim(at.slice(11, 23))}`;
  const colour = read.kind === 'event' ? cyan : yellow;
  return `${place}  ${colour(oneLine(type, MAX_TYPE_CHARS).padEnd(TYPE_WIDTH))}  ${text}`.trimEnd();
}
