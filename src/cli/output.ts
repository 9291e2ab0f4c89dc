import { setImmediate as nextTurn } from 'node:timers/promises';
import pc from 'picocolors';

export type Colours = ReturnType<typeof pc.createColors>;

/** A pipe that was closed at its other end, a terminal that was hung up. */
const READER_GONE: readonly string[] = ['EPIPE', 'EIO'];

/** One of the two streams a person or a program reads. Lines are only ever added: nothing is redrawn. */
export class Output {
  readonly colours: Colours;
  readonly isTerminal: boolean;
  readonly #stream: NodeJS.WriteStream;
  #isOpen = true;
  #failure: string | null = null;
  #isMidLine = false;

  constructor(stream: NodeJS.WriteStream, wantsColour: boolean) {
    this.#stream = stream;
    this.isTerminal = stream.isTTY === true;
    this.colours = pc.createColors(this.isTerminal && wantsColour);
    // Whoever read it has gone: the work goes on, and what is written no longer matters.
    stream.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      this.#isOpen = false;
      if (!READER_GONE.includes(code)) this.#failure = code;
    });
  }

  /** False once nothing more can be written. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Once all is written: why something was lost that somebody still wanted to read; null where nothing was. */
  async failure(): Promise<string | null> {
    await nextTurn();
    return this.#failure;
  }

  /** A whole line. A line that was begun is ended first. */
  line(text = ''): void {
    this.#write(`${this.#isMidLine ? '\n' : ''}${text}\n`);
    this.#isMidLine = false;
  }

  /** The beginning of a line that may be continued: a person sees what is being waited for. */
  begin(text: string): void {
    this.#write(`${this.#isMidLine ? '\n' : ''}${text}`);
    this.#isMidLine = true;
  }

  /** The rest of the line that was begun, if nothing came between; else a line of its own. */
  finish(rest: string, alone = rest): void {
    if (!this.#isMidLine) return this.line(alone);
    this.#write(`${rest}\n`);
    this.#isMidLine = false;
  }

  get isMidLine(): boolean {
    return this.#isMidLine;
  }

  #write(text: string): void {
    if (this.#isOpen) this.#stream.write(text);
  }
}

/** Both streams of this process. */
export interface Streams {
  /** The product, and nothing else. */
  readonly out: Output;
  /** Progress and complaints. */
  readonly err: Output;
}

export function standardStreams(noColourFlag: boolean): Streams {
  const { NO_COLOR = '', TERM } = process.env;
  const wantsColour = !noColourFlag && NO_COLOR === '' && TERM !== 'dumb';
  return { out: new Output(process.stdout, wantsColour), err: new Output(process.stderr, wantsColour) };
}
