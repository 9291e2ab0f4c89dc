import { setImmediate as soon } from 'node:timers/promises';
import pc from 'picocolors';
import { fit } from './width.ts';

export type Colours = ReturnType<typeof pc.createColors>;

/** The reader closed the pipe, or the terminal was hung up. */
const READER_GONE: readonly string[] = ['EPIPE', 'EIO'];
const CLEAR_LINE = '\r\u001B[K';
const USUAL_COLUMNS = 80;

/** What is known of a stream beside the stream itself. */
export interface Looks {
  readonly colour: boolean;
  /** Whether a line may be drawn again where it stands. */
  readonly redraw: boolean;
}

/** What became of a stream. */
interface Fate {
  isOpen: boolean;
  /** Why output was lost that its reader still wanted. */
  failure: string | null;
}

const fates = new WeakMap<NodeJS.WriteStream, Fate>();

/** One listener serves all outputs of a stream, which may be called many times in one process. */
function fateOf(stream: NodeJS.WriteStream): Fate {
  const known = fates.get(stream);
  if (known) return known;
  const fate: Fate = { isOpen: true, failure: null };
  fates.set(stream, fate);
  // The reader is gone: the run continues, and output is dropped.
  stream.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    fate.isOpen = false;
    if (!READER_GONE.includes(code)) fate.failure = code;
  });
  return fate;
}

/**
 * stdout or stderr. Lines are only appended; below them a terminal may show a status line.
 */
export class Output {
  readonly colours: Colours;
  readonly isTerminal: boolean;
  /** Only a terminal that can go back to the beginning of a line has a status. */
  readonly canRedraw: boolean;
  readonly #stream: NodeJS.WriteStream;
  readonly #fate: Fate;
  #status = '';
  #lines = 0;
  #isPrompting = false;

  constructor(stream: NodeJS.WriteStream, { colour, redraw }: Looks) {
    this.#stream = stream;
    this.isTerminal = stream.isTTY === true;
    this.canRedraw = this.isTerminal && redraw;
    this.colours = pc.createColors(this.isTerminal && colour);
    this.#fate = fateOf(stream);
  }

  /** False once nothing more can be written. */
  get isOpen(): boolean {
    return this.#fate.isOpen;
  }

  /** How many lines were written: a heartbeat compares it to see whether there was other output. */
  get lines(): number {
    return this.#lines;
  }

  /** After the last write: why output was lost that its reader still wanted; null if none was. */
  async failure(): Promise<string | null> {
    await soon();
    return this.#fate.failure;
  }

  /** A whole line, which a user may want to copy. */
  line(text = ''): void {
    this.#lines += 1;
    this.prompted();
    if (this.#status === '') return this.#write(`${text}\n`);
    this.#write(`${CLEAR_LINE}${text}\n${this.#status}`);
  }

  /**
   * As they are, not even a line break is added: what is piped may not be text. The next piece is asked for when this
   * one was taken, and none once the reader is gone. Rejects as the pieces do.
   */
  async bytes(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    this.#lines += 1;
    for await (const piece of pieces) {
      if (!this.isOpen) return;
      await new Promise<void>((resolve) => this.#stream.write(piece, () => resolve()));
    }
  }

  /** A progress line: a terminal shows as much of it as it has columns. */
  brief(text: string): void {
    this.line(this.isTerminal ? fit(text, this.#columns) : text);
  }

  /**
   * What stands below the last line until the next call; empty: nothing. Without a terminal that can redraw, nothing
   * ever.
   */
  status(text: string): void {
    if (!this.canRedraw) return;
    // In the last column some terminals wrap.
    const fitted = fit(text, this.#columns - 1);
    if (fitted === this.#status) return;
    this.#status = fitted;
    this.#write(CLEAR_LINE + fitted);
  }

  /** A prompt, after which the user types. */
  prompt(text: string): void {
    this.status('');
    this.#write(text);
    this.#isPrompting = true;
  }

  /** Ends the prompt: adds the line break unless the user typed it. */
  prompted(isEnded = false): void {
    if (this.#isPrompting && !isEnded) this.#write('\n');
    this.#isPrompting = false;
  }

  get #columns(): number {
    return this.#stream.columns || USUAL_COLUMNS;
  }

  #write(text: string): void {
    if (this.isOpen) this.#stream.write(text);
  }
}

/** Both streams of this process. */
export interface Streams {
  /** The result of the command, and nothing else. */
  readonly out: Output;
  /** Progress and errors. */
  readonly err: Output;
}

export function standardStreams(noColourFlag: boolean): Streams {
  const { NO_COLOR = '', TERM } = process.env;
  const redraw = TERM !== 'dumb';
  const looks = { colour: !noColourFlag && NO_COLOR === '' && redraw, redraw };
  return { out: new Output(process.stdout, looks), err: new Output(process.stderr, looks) };
}
