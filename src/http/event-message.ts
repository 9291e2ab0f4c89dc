import { problemOf } from './problem.ts';

const encoder = new TextEncoder();

/** The name of the event that says why a stream ends before it is over. Its data is a problem with its status. */
export const PROBLEM_EVENT = 'problem';

/** One event of a stream, as it goes over the wire, with the version or the position that it stands for. */
export interface SentEvent {
  readonly id: number;
  readonly frame: Uint8Array;
}

/** An event of Server-Sent Events. JSON has no line end, so its text is one line. */
export function sentEvent(id: number, data: unknown, name: string | null = null): SentEvent {
  const event = name === null ? '' : `event: ${name}\n`;
  return { id, frame: encoder.encode(`${event}id: ${id}\ndata: ${JSON.stringify(data)}\n\n`) };
}

/** How long a stream is silent before a comment keeps it open. */
const KEEP_ALIVE_MS = 15_000;
const KEEP_ALIVE = encoder.encode(': still here\n\n');

/** The headers of a stream of events. No proxy may hold it back. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** Ends with a problem where nothing more can be read, as behind damage of a log. A bug breaks the stream. */
async function* withProblem(events: AsyncGenerator<SentEvent>): AsyncGenerator<SentEvent> {
  try {
    yield* events;
  } catch (error) {
    const { status, problem } = problemOf(error);
    if (problem.code === 'bug') throw error;
    // It has no id: a client that connects again asks for what comes after the last event that it has.
    const data = JSON.stringify({ status, ...problem });
    yield { id: 0, frame: encoder.encode(`event: ${PROBLEM_EVENT}\ndata: ${data}\n\n`) };
  }
}

/**
 * Answers with events as they come. Only as much is read as the client takes; `events` ends when the client has left.
 */
export function eventStream(make: (signal: AbortSignal) => AsyncGenerator<SentEvent>): Response {
  const left = new AbortController();
  const events = withProblem(make(left.signal));
  let next: Promise<IteratorResult<SentEvent>> | null = null;
  const body = new ReadableStream<Uint8Array>({
    // A client knows by this that it is connected.
    start: (controller) => controller.enqueue(KEEP_ALIVE),
    async pull(controller) {
      next ??= events.next();
      const read = await within(next, KEEP_ALIVE_MS);
      if (read === null) return controller.enqueue(KEEP_ALIVE);
      next = null;
      if (read.done) return controller.close();
      controller.enqueue(read.value.frame);
    },
    async cancel() {
      left.abort();
      await events.return(undefined);
    },
  });
  return new Response(body, { headers: HEADERS });
}

/** The value of a promise, or null after a time. */
function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
