import { type Stats, closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isWithin } from '../confine.ts';

/** Longer than any file written by hand. */
const MAX_RULES_BYTES = 1_000_000;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Which names git would ignore, as far as `.gitignore` files and the repository's own exclusions say. */
export class IgnoreRules {
  /** What the rules' paths are relative to. */
  readonly #base: string;
  readonly #rules: Ignore;

  constructor(base: string, rules: Ignore = ignore({ ignorecase: false })) {
    this.#base = base;
    this.#rules = rules;
  }

  ignores(place: string, isFolder: boolean): boolean {
    const path = relative(this.#base, place);
    return path !== '' && this.#rules.ignores(isFolder ? `${path}/` : path);
  }

  /** With those of a file in this folder: they win over the ones before. */
  extendedBy(folder: string, lines: string | null): IgnoreRules {
    if (lines === null) return this;
    const prefix = relative(this.#base, folder).replace(/[\\*?[\]]/g, '\\$&');
    const patterns = lines.split(/\r?\n/).map((line) => rebased(line, prefix));
    return new IgnoreRules(this.#base, ignore({ ignorecase: false }).add(this.#rules).add(patterns));
  }
}

/** The rules that hold in a folder, its own not yet read. They begin at the top of its repository, else at `root`. */
export function rulesAbove(root: string, folder: string): IgnoreRules {
  const top = topOf(root) ?? root;
  let rules = new IgnoreRules(top).extendedBy(top, readRules(exclusionsOf(top)));
  if (!isWithin(top, folder)) return rules;
  const names = relative(top, folder)
    .split('/')
    .filter((name) => name !== '');
  for (let depth = 0; depth < names.length; depth += 1) {
    const ancestor = join(top, ...names.slice(0, depth));
    rules = rules.extendedBy(ancestor, readRules(join(ancestor, '.gitignore')));
  }
  return rules;
}

/** The text of an ignore file, null if it does not exist. Like git, it does not follow links. */
export function readRules(path: string): string | null {
  let file: number | null = null;
  try {
    if (!isSmallFile(lstatSync(path))) return null;
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    return isSmallFile(fstatSync(file)) ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

const isSmallFile = (stats: Stats): boolean => stats.isFile() && stats.size <= MAX_RULES_BYTES;

/** A pattern of a file in the folder `prefix`, as it would be written at the top. */
function rebased(line: string, prefix: string): string {
  if (prefix === '' || line.startsWith('#') || line.trim() === '') return line;
  const negation = line.startsWith('!') ? '!' : '';
  const pattern = line.slice(negation.length);
  const isAnchored = pattern.replace(/\/\s*$/, '').includes('/');
  const rest = pattern.replace(/^\//, '');
  return isAnchored ? `${negation}/${prefix}/${rest}` : `${negation}/${prefix}/**/${rest}`;
}

function topOf(root: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false })) return folder;
    if (folder === dirname(folder)) return null;
  }
}

/** In a linked work tree `.git` is a file that says where the repository is. */
function exclusionsOf(top: string): string {
  const records = join(top, '.git');
  const [, linked] = /^gitdir: (.*)/.exec(readRules(records) ?? '') ?? [];
  if (linked === undefined) return join(records, 'info/exclude');
  const own = resolve(top, linked.trim());
  return join(resolve(own, readRules(join(own, 'commondir'))?.trim() ?? '.'), 'info/exclude');
}
