import type { Envelope } from '../log/envelope.ts';
import type { RunRecord } from '../log/event-store.ts';
import type { Log } from '../log/log.ts';
import { HttpProblem } from './problem.ts';
import { cursorAfter, offsetOf, type StreamStart } from './stream-offset.ts';

/** The most events of one answer. */
const MAX_PAGE = 1_000;
/** How long a reader that asks to wait is left without an answer. */
const POLL_MS = 20_000;

type Source = Pick<Log, 'run' | 'read' | 'follow'>;

export interface StreamAsked {
  readonly run: string;
  readonly start: StreamStart;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
  readonly pollMs?: number;
}

/** Some events of a stream, and where its next reader begins. */
interface StreamPage {
  readonly events: readonly Envelope[];
  readonly next: number;
  /** There is nothing after it now, or never will be. */
  readonly isUpToDate: boolean;
  readonly isClosed: boolean;
}

/** What a stream has from a version on. */
export async function readPage(log: Source, { run, start }: Pick<StreamAsked, 'run' | 'start'>): Promise<StreamPage> {
  const { version: head, closed } = await recordOf(log, run);
  const after = start === 'now' ? head : start;
  const events: Envelope[] = [];
  for await (const event of log.read(run, { from: after + 1, to: Math.min(head, after + MAX_PAGE) }))
    events.push(event);
  const next = events.at(-1)?.version ?? Math.min(after, head);
  const isUpToDate = next >= head;
  return { events, next, isUpToDate, isClosed: isUpToDate && closed !== null };
}

/** The same, which waits for an event where there is none. */
export async function pollPage(log: Source, { pollMs = POLL_MS, ...asked }: StreamAsked): Promise<StreamPage> {
  const page = await readPage(log, asked);
  if (page.events.length > 0 || page.isClosed) return page;
  const signal = AbortSignal.any([asked.signal, AbortSignal.timeout(pollMs)]);
  await nextOf(log.follow(asked.run, { from: page.next + 1, signal }));
  return readPage(log, { run: asked.run, start: page.next });
}

/** A stream as Server-Sent Events: what it has, then what is recorded, until it is closed. */
export async function* streamFrames(log: Source, asked: StreamAsked): AsyncGenerator<string> {
  let { start } = asked;
  const { run, signal } = asked;
  for (let isOver = false; !signal.aborted;) {
    const page = await readPage(log, { run, start });
    yield* framesOf(page, asked);
    if (page.isClosed || isOver) return;
    start = page.next;
    if (page.isUpToDate) isOver = !(await nextOf(log.follow(run, { from: page.next + 1, signal })));
  }
}

/** Waits for an event. False: none comes. */
async function nextOf(events: AsyncIterable<Envelope>): Promise<boolean> {
  const following = events[Symbol.asyncIterator]();
  const { done = false } = await following.next();
  await following.return?.();
  return !done;
}

function* framesOf({ events, next, isUpToDate, isClosed }: StreamPage, { cursor }: StreamAsked): Generator<string> {
  if (events.length > 0) yield `event: data\ndata:${JSON.stringify(events)}\n\n`;
  const control = {
    streamNextOffset: offsetOf(next),
    ...(isClosed ? {} : { streamCursor: cursorAfter(cursor) }),
    ...(isUpToDate ? { upToDate: true } : {}),
    ...(isClosed ? { streamClosed: true } : {}),
  };
  yield `event: control\ndata:${JSON.stringify(control)}\n\n`;
}

/** The headers of a page. */
export const pageHeaders = ({ next, isUpToDate, isClosed }: StreamPage): Readonly<Record<string, string>> => ({
  'stream-next-offset': offsetOf(next),
  ...(isUpToDate ? { 'stream-up-to-date': 'true' } : {}),
  ...(isClosed ? { 'stream-closed': 'true' } : {}),
});

async function recordOf(log: Source, run: string): Promise<RunRecord> {
  const record = await log.run(run);
  if (!record) throw new HttpProblem(404, 'unknown_run', `the log has no run ${run}`);
  return record;
}
