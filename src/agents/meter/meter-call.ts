import { Readable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type JsonObject, objectIn } from '../json-object.ts';
import { jsonIn } from '../../text/json-in.ts';
import { type Counted, NOTHING_COUNTED, objectsIn, usageIn, type Wire } from './wire.ts';

/** A longer request is refused, and of a longer answer that is no stream the usage is estimated. */
const MAX_REQUEST_BYTES = 64 * 1024 ** 2;
const MAX_ANSWER_BYTES = 64 * 1024 ** 2;
/** A longer line of a stream is passed on, and not read. */
const MAX_LINE_CHARS = 4 * 1024 ** 2;

/** The body of a request. Null: it is longer than a request may be. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_REQUEST_BYTES) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The object in a body; an empty one where there is no object. */
export const objectOf = (body: Buffer): JsonObject => objectIn(body.toString()) ?? {};

/** Streams of chats say their usage only where they are asked to. Null: this one is asked already, or is no such. */
export function withUsageAsked(wire: Wire, path: string, asked: JsonObject): JsonObject | null {
  if (wire !== 'openai' || !/\/chat\/completions(?:\?|$)/.test(path) || asked['stream'] !== true) return null;
  const options = asked['stream_options'];
  if (typeof options === 'object' && options !== null && 'include_usage' in options) return null;
  return { ...asked, stream_options: { ...(options as JsonObject | undefined), include_usage: true } };
}

/** The meaning of an answer that was passed on. */
export interface Passed {
  readonly counted: Counted;
  /** The answer told its usage to the end. */
  readonly isWhole: boolean;
  readonly bytes: number;
}

/** Passes an answer on, byte by byte, and reads the usage in it behind that. */
export class AnswerPass {
  readonly #wire: Wire;
  readonly #isStream: boolean;
  #counted = NOTHING_COUNTED;
  #isTold = false;
  #bytes = 0;
  #line = '';
  #pieces: Buffer[] = [];

  constructor(wire: Wire, contentType: string) {
    this.#wire = wire;
    this.#isStream = contentType.includes('event-stream');
  }

  /** Resolves when all of it was passed on, or one of the two sides has left. Null: the provider's side broke off. */
  async run(body: Response['body'], answer: ServerResponse): Promise<'whole' | 'broken'> {
    if (!body) {
      answer.end();
      return 'whole';
    }
    try {
      for await (const piece of Readable.fromWeb(body as never) as AsyncIterable<Buffer>) {
        if (answer.destroyed) return 'broken';
        if (!answer.write(piece)) await drained(answer);
        this.#read(piece);
      }
    } catch {
      answer.destroy();
      return 'broken';
    }
    this.#end();
    answer.end();
    return 'whole';
  }

  passed(): Passed {
    return { counted: this.#counted, isWhole: this.#isTold, bytes: this.#bytes };
  }

  /** The beginning of a body that is no stream, as a refusal is. */
  text(): string {
    return Buffer.concat(this.#pieces).toString().slice(0, 10_000);
  }

  #read(piece: Buffer): void {
    this.#bytes += piece.length;
    if (!this.#isStream) {
      if (this.#bytes <= MAX_ANSWER_BYTES) this.#pieces.push(piece);
      return;
    }
    // Numbers and names of usage are ASCII: a character that is cut in two changes nothing.
    const lines = (this.#line + piece.toString('latin1')).split('\n');
    this.#line = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS);
    for (const line of lines) if (line.startsWith('data:') && /usage/i.test(line)) this.#take(line.slice(5));
  }

  #end(): void {
    if (!this.#isStream) this.#take(Buffer.concat(this.#pieces).toString());
    else if (this.#line.startsWith('data:')) this.#take(this.#line.slice(5));
  }

  #take(text: string): void {
    for (const said of objectsIn(jsonIn(text))) {
      const counted = usageIn(this.#wire, said, this.#counted);
      if (counted === null) continue;
      this.#counted = counted;
      // The start of a message tells its input alone.
      this.#isTold = said['type'] !== 'message_start';
    }
  }
}

const drained = (answer: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      answer.off('drain', done).off('close', done);
      resolve();
    };
    answer.once('drain', done).once('close', done);
  });
