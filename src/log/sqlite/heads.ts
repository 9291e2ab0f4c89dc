import {
  accessSync,
  closeSync,
  constants,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import type { Head } from '../chain.ts';
import { isRunName } from '../effect-names.ts';
import { codeOf, EnvironmentFault, isLack } from '../environment-fault.ts';
import { OWN_FILE, OWN_FOLDER_MODE } from '../own-folder.ts';

const MAX_OPEN_FILES = 64;
const LINE = /^(\S+) (\d{12}) ([0-9a-f]{64})\n$/;
/** Another process may be writing the line. */
const MAX_READS = 3;
/** Of a pipe, neither reading nor writing waits for its other end. */
const AT_ONCE = constants.O_NONBLOCK;
/** What a link leads to is no note, and is neither written nor read. Windows knows no such flag. */
const NO_LINK: number = constants.O_NOFOLLOW ?? 0;
const TO_READ = constants.O_RDONLY | AT_ONCE | NO_LINK;

/** A file, or the folder, that should have notes and cannot be read. */
export interface UnreadNote {
  readonly file: string;
  /** Null: the folder. */
  readonly run: string | null;
  readonly because: string;
}

export interface Notes {
  readonly heads: ReadonlyMap<string, Head>;
  readonly unread: readonly UnreadNote[];
}

/** The part of the notes that an open store reads and writes. */
export type HeadNotes = Pick<Heads, 'isOwn' | 'read' | 'write' | 'close'>;

/** The notes of a store that has none. */
export const NO_NOTES: HeadNotes = { isOwn: () => true, read: () => null, write: () => {}, close: () => {} };

/**
 * The head of each run after its last commit, kept beside the database: one line a file, `RUN VERSION HASH`. A database
 * that lost its end is valid by itself; compared with these files it is not. Losing them only loses that check.
 */
export class Heads {
  readonly #folder: string;
  /** Runs whose head this process wrote, least recently written first. */
  readonly #files = new Map<string, number>();
  #hasFolder = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** True while this process is the one that wrote the run's head: the database it wrote first is still open. */
  isOwn(run: string): boolean {
    return this.#files.has(run);
  }

  /** The notes of all runs. `isWriting`: the folder has to take new ones, too. */
  all(isWriting = false): Notes {
    const heads = new Map<string, Head>();
    const unread: UnreadNote[] = [];
    try {
      for (const run of this.#noted(isWriting)) {
        const found = this.#found(run);
        if (typeof found === 'string') unread.push({ file: this.#pathOf(run), run, because: found });
        else if (found) heads.set(run, found);
      }
    } catch (error) {
      if (error instanceof EnvironmentFault || isLack(codeOf(error))) throw unreadFault(this.#folder, error);
      unread.push({ file: this.#folder, run: null, because: reasonOf(error) });
    }
    return { heads, unread };
  }

  /** Hidden files are no notes: no run has such a name. */
  #noted(isWriting: boolean): readonly string[] {
    try {
      const names = readdirSync(this.#folder).filter((name) => !name.startsWith('.'));
      if (isWriting) accessSync(this.#folder, constants.W_OK);
      return names;
    } catch (error) {
      // A dangling link is no folder that is missing.
      if (codeOf(error) === 'ENOENT' && lstatSync(this.#folder, { throwIfNoEntry: false }) === undefined) return [];
      throw error;
    }
  }

  /** Null where there is no note, or none that can be read. */
  read(run: string): Head | null {
    const found = this.#found(run);
    return typeof found === 'string' ? null : found;
  }

  /** Null where there is no note; a text says why one cannot be read. */
  #found(run: string): Head | string | null {
    try {
      for (let reads = 1; ; reads += 1) {
        // Node reads a file as UTF-8 in one step, as anything else in five.
        const text = readFileSync(this.#pathOf(run), { encoding: 'utf8', flag: TO_READ });
        const [, name, version, hash] = LINE.exec(text) ?? [];
        if (name === run && hash !== undefined) return { version: Number(version), hash };
        if (reads === MAX_READS) return text === '' ? 'it is empty' : 'it does not hold RUN VERSION HASH of this run';
      }
    } catch (error) {
      if (isLack(codeOf(error))) throw unreadFault(this.#pathOf(run), error);
      return codeOf(error) === 'ENOENT' ? null : reasonOf(error);
    }
  }

  /**
   * In place, so that a reader sees the old line or the new one. A failure is ignored: the commit is already durable.
   * Half a new line over an old one would name a history that never was, so the note is removed then. A row that was
   * edited may hold a name that no run has: it gets no note.
   */
  write(run: string, { version, hash }: Head): void {
    if (!isRunName(run)) return;
    const line = `${run} ${String(version).padStart(12, '0')} ${hash}\n`;
    try {
      const known = this.#files.get(run);
      if (known !== undefined) writeWhole(known, line);
      this.#keep(run, known ?? this.#begun(run, line));
    } catch {
      this.#close(run);
      this.#remove(run);
    }
  }

  close(): void {
    for (const run of this.#files.keys()) this.#close(run);
  }

  #keep(run: string, file: number): void {
    this.#files.delete(run);
    this.#files.set(run, file);
    const [oldest] = this.#files.keys();
    if (this.#files.size > MAX_OPEN_FILES && oldest !== undefined) this.#close(oldest);
  }

  /** Opens the note of a run, and writes its line. What was longer is cut: it was no note. */
  #begun(run: string, line: string): number {
    if (!this.#hasFolder) mkdirSync(this.#folder, { recursive: true, mode: OWN_FOLDER_MODE });
    this.#hasFolder = true;
    const file = this.#existing(run);
    if (file === null) return this.#new(run, line);
    this.#files.set(run, file);
    writeWhole(file, line);
    ftruncateSync(file, line.length);
    return file;
  }

  #existing(run: string): number | null {
    try {
      return openSync(this.#pathOf(run), constants.O_WRONLY | AT_ONCE | NO_LINK);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  }

  /** It gets its name once it has its line: no reader, and no crash, finds an empty one. */
  #new(run: string, line: string): number {
    const draft = join(this.#folder, `.${run}`);
    rmSync(draft, { force: true });
    const file = openSync(draft, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, OWN_FILE);
    this.#files.set(run, file);
    writeWhole(file, line);
    renameSync(draft, this.#pathOf(run));
    return file;
  }

  #close(run: string): void {
    const file = this.#files.get(run);
    this.#files.delete(run);
    if (file !== undefined) closeSync(file);
  }

  #remove(run: string): void {
    try {
      rmSync(this.#pathOf(run), { force: true });
    } catch {
      // The disk takes no changes at all, so the old line is still whole.
    }
  }

  #pathOf(run: string): string {
    return `${this.#folder}${sep}${run}`;
  }
}

function writeWhole(file: number, line: string): void {
  const bytes = writeSync(file, line, 0);
  if (bytes < Buffer.byteLength(line)) throw new Error(`the disk took ${bytes} bytes of a note`);
}

const reasonOf = (error: unknown): string =>
  codeOf(error) === 'ELOOP' ? 'it is a link' : (codeOf(error) ?? String(error));

/** A disk that fails to give a note says nothing of the log. */
function unreadFault(path: string, error: unknown): EnvironmentFault {
  if (error instanceof EnvironmentFault) return error;
  const message = `${path} cannot be read (${codeOf(error)}). See to its disk, then try again.`;
  return new EnvironmentFault(message, error, { hasStarted: true });
}
