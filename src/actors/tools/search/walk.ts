import { type Dirent, closeSync, constants, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nameIn } from '../folder-handle.ts';
import { MAX_SEARCH_DEPTH } from '../tool.ts';
import { isDraft } from '../../../text/own-files.ts';
import { isReserved } from '../state-paths.ts';
import { type IgnoreRules, readRules } from './ignore-rules.ts';

/** A folder that is open. */
export interface OpenFolder {
  readonly fd: number;
  readonly path: string;
}

/** What a walk comes by. */
interface Found {
  /** From where the walk began, with slashes. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'special';
  /** Open for as long as nothing else is asked of the walk. */
  readonly folder: OpenFolder;
  readonly name: string;
}

interface WalkOptions {
  /** Null: nothing is left out for being ignored. */
  readonly rules: IgnoreRules | null;
  /** Levels of folders. */
  readonly depth: number;
  /** When it ends, finished or not, in milliseconds as `performance.now()` has it. */
  readonly until: number;
}

/**
 * Goes through a folder and what is below it, by name, not through links, and not to what is off limits. What it opens
 * it opens inside the folder that it holds, so that moving folders meanwhile cannot lead it elsewhere.
 */
export class Walk {
  readonly #options: WalkOptions;
  #ignored = 0;
  #unreadable = 0;
  #tooDeep = 0;
  #isLate = false;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  /** What it left out, and why, for the model to read. */
  get notes(): string[] {
    return [
      ...(this.#ignored > 0 ? [`${this.#ignored} ignored by .gitignore left out`] : []),
      ...(this.#unreadable > 0 ? [`${this.#unreadable} folders could not be opened`] : []),
      ...(this.#tooDeep > 0 ? [`${this.#tooDeep} folders are more than ${MAX_SEARCH_DEPTH} levels down`] : []),
      ...(this.#isLate ? ['out of time, the rest was not looked at'] : []),
    ];
  }

  *through(folder: OpenFolder): Generator<Found> {
    yield* this.#level(folder, '', 1, this.#options.rules);
  }

  *#level(folder: OpenFolder, prefix: string, level: number, above: IgnoreRules | null): Generator<Found> {
    const rules = above?.extendedBy(folder.path, readRules(nameIn(folder.fd, folder.path, '.gitignore'))) ?? null;
    for (const entry of namesIn(folder)) {
      if (performance.now() > this.#options.until) this.#isLate = true;
      if (this.#isLate) return;
      if (isReserved(entry.name) || isDraft(entry.name)) continue;
      if (rules?.ignores(join(folder.path, entry.name), entry.isDirectory())) {
        this.#ignored += 1;
        continue;
      }
      const path = prefix + entry.name;
      yield { path, kind: kindOf(entry), folder, name: entry.name };
      if (!entry.isDirectory() || level >= this.#options.depth) continue;
      yield* this.#below(folder, entry.name, path, level, rules);
    }
  }

  *#below(folder: OpenFolder, name: string, path: string, level: number, rules: IgnoreRules | null): Generator<Found> {
    if (level >= MAX_SEARCH_DEPTH) {
      this.#tooDeep += 1;
      return;
    }
    const fd = openFolder(folder, name);
    if (fd === null) {
      this.#unreadable += 1;
      return;
    }
    try {
      yield* this.#level({ fd, path: join(folder.path, name) }, `${path}/`, level + 1, rules);
    } finally {
      closeSync(fd);
    }
  }
}

function namesIn({ fd, path }: OpenFolder): Dirent[] {
  const entries = readdirSync(nameIn(fd, path, '.'), { withFileTypes: true });
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function openFolder({ fd, path }: OpenFolder, name: string): number | null {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  try {
    return openSync(nameIn(fd, path, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch {
    return null;
  }
}

function kindOf(entry: Dirent): Found['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : 'special';
}
