import { resolve } from 'node:path';
import { Loops } from '../hosts/local/loops.ts';
import { createStore, openStore, MEMORY, type Place, placeOf, STORE_ADDRESSES } from '../hosts/local/store.ts';
import { usage } from './complaint.ts';
import { invocation, shellWords } from './invocation.ts';
import type { Streams } from './output.ts';

/** Flags every verb takes. */
export interface CommonFlags {
  readonly directory?: string;
  readonly log?: string;
  readonly color: boolean;
}

/** One call of the program: where it writes, which folder and which log it is about. */
export class Session {
  readonly streams: Streams;
  /** Absolute. */
  readonly directory: string;
  readonly #flags: CommonFlags;

  constructor(streams: Streams, flags: CommonFlags) {
    this.streams = streams;
    this.#flags = flags;
    this.directory = resolve(flags.directory ?? '.');
  }

  /** False where the log is gone with this process. */
  get isKept(): boolean {
    return this.#flags.log !== MEMORY;
  }

  async place(): Promise<Place> {
    const { log } = this.#flags;
    const place = await placeOf(log, this.directory);
    if (!place) throw usage('--log', STORE_ADDRESSES, `'${log}'`);
    return place;
  }

  /** The loops of a log that must be there. */
  async loops(mode: 'read' | 'write'): Promise<Loops> {
    const place = await this.place();
    if (place.path === null) throw usage('--log', 'sqlite:PATH: a log in memory is gone with its process', "'memory:'");
    return new Loops({ log: await openStore(place, mode) });
  }

  /** The loops of a log that is made where there is none. */
  async loopsOrNew(): Promise<Loops> {
    return new Loops({ log: await createStore(await this.place()) });
  }

  /** A command that a person can paste to go on with the same folder and log. */
  again(words: readonly string[]): string {
    const { directory, log } = this.#flags;
    const about = [...(directory === undefined ? [] : ['-C', directory]), ...(log === undefined ? [] : ['--log', log])];
    return shellWords([...thisProgram(), ...words, ...about]);
  }
}

export const thisProgram = (): readonly string[] =>
  invocation({ file: process.argv[1] ?? 'loopfold', execPath: process.execPath, cwd: process.cwd(), env: process.env });
