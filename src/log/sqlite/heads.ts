import { closeSync, constants, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Head } from '../chain.ts';
import { OWN_FILE, OWN_FOLDER_MODE } from '../own-folder.ts';

const MAX_OPEN_FILES = 64;
const LINE = /^(\S+) (\d{12}) ([0-9a-f]{64})\n$/;

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

  /** The notes of all runs. Those that cannot be read are left out. */
  all(): ReadonlyMap<string, Head> {
    const notes = new Map<string, Head>();
    for (const run of this.#noted()) {
      const head = this.read(run);
      if (head) notes.set(run, head);
    }
    return notes;
  }

  #noted(): readonly string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      return [];
    }
  }

  read(run: string): Head | null {
    try {
      const [, name, version, hash] = LINE.exec(readFileSync(this.#pathOf(run), 'latin1')) ?? [];
      return name === run && hash !== undefined ? { version: Number(version), hash } : null;
    } catch {
      return null;
    }
  }

  /**
   * In place, so that a reader sees the old line or the new one. A failure is ignored: the commit is already durable.
   * Half a new line over an old one would name a history that never was, so the note is removed then.
   */
  write(run: string, { version, hash }: Head): void {
    const line = `${run} ${String(version).padStart(12, '0')} ${hash}\n`;
    try {
      if (writeSync(this.#fileOf(run), line, 0) === Buffer.byteLength(line)) return;
    } catch {
      // As after a short write: how much of it was written is unknown.
    }
    this.#close(run);
    this.#remove(run);
  }

  close(): void {
    for (const run of this.#files.keys()) this.#close(run);
  }

  #fileOf(run: string): number {
    const file = this.#files.get(run) ?? this.#open(run);
    this.#files.delete(run);
    this.#files.set(run, file);
    const [oldest] = this.#files.keys();
    if (this.#files.size > MAX_OPEN_FILES && oldest !== undefined) this.#close(oldest);
    return file;
  }

  #open(run: string): number {
    if (!this.#hasFolder) mkdirSync(this.#folder, { recursive: true, mode: OWN_FOLDER_MODE });
    this.#hasFolder = true;
    return openSync(this.#pathOf(run), constants.O_CREAT | constants.O_WRONLY, OWN_FILE);
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
    return join(this.#folder, run);
  }
}
