import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolderNow } from '../log/temporary-folders.ts';

/** Of one output: what comes after it is not kept. */
const MAX_WHOLE_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Of all outputs of this process: the oldest are removed for a new one. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024;
/** Below what a tool reads of one file. */
const PART_BYTES = 4 * 1024 * 1024;
const NAME_CHARS = 12;

/** The folder of this process, in which each run has one. It is removed when the process ends. */
let folder: string | null = null;
let written = 0;
const kept = new Map<string, number>();

function ownFolder(): string {
  if (folder !== null) return folder;
  const made = realpathSync(makeTemporaryFolderNow('output'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
}

const folderName = (run: string): string => hash('sha256', run).slice(0, NAME_CHARS);

/** Returns the folder with the whole outputs of a run. Null: there is none. */
export function wholeOutputsOf(run: string): string | null {
  const place = folder === null ? null : join(folder, folderName(run));
  return place !== null && existsSync(place) ? place : null;
}

/**
 * An output that is too long for a result, as files that the tools of its run can read. Its place is named by its
 * content: the same output is the same text in a result. Where it cannot be written it is not kept, and the command
 * goes on.
 */
export class WholeOutput {
  readonly #place: string;
  readonly #digest = createHash('sha256');
  #file: number | null = null;
  #parts = 0;
  #partBytes = 0;
  #bytes = 0;
  #isCut = false;

  private constructor(place: string) {
    this.#place = place;
  }

  /** Returns null where no folder can be made. */
  static begin(run: string): WholeOutput | null {
    try {
      written += 1;
      const place = join(ownFolder(), folderName(run), `writing-${written}`);
      mkdirSync(place, { recursive: true });
      return new WholeOutput(place);
    } catch {
      return null;
    }
  }

  /** Takes whole lines. */
  add(text: string): void {
    const bytes = Buffer.from(text);
    if (this.#isCut || this.#bytes + bytes.length > MAX_WHOLE_OUTPUT_BYTES) {
      this.#isCut = true;
      return;
    }
    try {
      if (this.#file === null || this.#partBytes + bytes.length > PART_BYTES) this.#nextPart();
      if (this.#file !== null) writeSync(this.#file, bytes);
    } catch {
      this.#isCut = true;
      return;
    }
    this.#digest.update(bytes);
    this.#partBytes += bytes.length;
    this.#bytes += bytes.length;
  }

  /** Returns the words that say where it is. Null: none of it could be written. */
  end(): string | null {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    const place = join(this.#place, '..', this.#digest.digest('hex').slice(0, NAME_CHARS));
    try {
      if (this.#bytes === 0 || existsSync(place)) rmSync(this.#place, { recursive: true });
      else renameSync(this.#place, place);
    } catch {
      return null;
    }
    if (this.#bytes === 0) return null;
    kept.delete(place);
    kept.set(place, this.#bytes);
    forgetOldest();
    const what = this.#isCut ? `the first ${this.#bytes} bytes of the output are` : 'the whole output is';
    const where = this.#parts === 1 ? join(place, '1.txt') : `${place} (${this.#parts} files)`;
    return `${what} in ${where}: read or grep it there`;
  }

  #nextPart(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    this.#file = openSync(join(this.#place, `${this.#parts + 1}.txt`), 'wx', 0o600);
    this.#parts += 1;
    this.#partBytes = 0;
  }
}

/**
 * Keeps binary content as a file, which is named by what it holds. Returns its path, or null where it cannot be
 * written.
 */
export function keepContent(run: string, content: Buffer, extension: string): string | null {
  const place = join(ownFolder(), folderName(run), `${hash('sha256', content).slice(0, NAME_CHARS)}.${extension}`);
  try {
    mkdirSync(join(place, '..'), { recursive: true });
    if (!existsSync(place)) writeFileSync(place, content, { mode: 0o600 });
  } catch {
    return null;
  }
  kept.delete(place);
  kept.set(place, content.length);
  forgetOldest();
  return place;
}

function forgetOldest(): void {
  let bytes = [...kept.values()].reduce((sum, one) => sum + one, 0);
  for (const [place, size] of kept) {
    if (bytes <= MAX_KEPT_BYTES) return;
    rmSync(place, { recursive: true, force: true });
    kept.delete(place);
    bytes -= size;
  }
}
