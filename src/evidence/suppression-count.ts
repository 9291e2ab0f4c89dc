import { commentPlaces } from './comment-places.ts';
import { IncludedData } from './data-in-code.ts';
import { spelled } from './code-spelling.ts';
import { type SuppressionKind, suppressionsIn } from './suppressions.ts';

/** Behind so many characters, a file is looked through as text, by its changed lines alone, so many at once. */
const MAX_CHARACTERS = 1_000_000;
const SIDE = /^(?:---|\+\+\+) "?(?:[ab]\/)?(.*?)"?\t?$/;

/** The text of a file on both sides of a patch. */
interface Sides {
  path: string;
  before: string;
  after: string;
  isCut: boolean;
}

const noSides = (): Sides => ({ path: '', before: '', after: '', isCut: false });

/**
 * Counts how many more suppressions a patch adds than it removes: those of each file as a whole, without its texts.
 * Lines are taken as `git diff` has them with the whole of each file around them.
 *
 * @example
 * const count = new SuppressionCount('all');
 * count.add('+// @ts-nocheck');
 * count.total(); // 1
 */
export class SuppressionCount {
  readonly #kind: SuppressionKind;
  #counted = 0;
  readonly #data = new IncludedData();
  #file = noSides();
  /** False: between two files. */
  #isInFile = true;
  /** Changed lines of one kind that follow each other, which, and what they have come to in this file. */
  #block = '';
  #sign = '';
  #inLines = 0;

  constructor(kind: SuppressionKind) {
    this.#kind = kind;
  }

  add(line: string): void {
    if (line.startsWith('diff --git ')) this.#closeFile();
    else if (line.startsWith('@@ ')) this.#isInFile = true;
    else if (this.#isInFile) this.#addContent(line.slice(0, 1), line.slice(1));
    else this.#addHeader(line);
  }

  total(): number {
    this.#closeFile();
    return this.#counted + this.#data.total();
  }

  #addHeader(line: string): void {
    const path = SIDE.exec(line)?.[1];
    if (path !== undefined && path !== '/dev/null') this.#file.path = path;
  }

  #addContent(first: string, text: string): void {
    if (first === '\\') return;
    const sign = first === '+' || first === '-' ? first : '';
    const file = this.#file;
    if (file.isCut) return this.#addToBlock(sign, text);
    if (sign !== '+') file.before += `${text}\n`;
    if (sign !== '-') file.after += `${text}\n`;
    if (Math.max(file.before.length, file.after.length) <= MAX_CHARACTERS) return;
    this.#inLines = suppressionsIn(file.after, this.#kind) - suppressionsIn(file.before, this.#kind);
    this.#file = { ...noSides(), isCut: true };
  }

  #addToBlock(sign: string, text: string): void {
    if (sign !== this.#sign || this.#block.length > MAX_CHARACTERS) this.#closeBlock();
    this.#sign = sign;
    if (sign !== '') this.#block += `${text}\n`;
  }

  #closeBlock(): void {
    const found = suppressionsIn(this.#block, this.#kind);
    this.#inLines += this.#sign === '-' ? -found : found;
    this.#block = '';
    this.#sign = '';
  }

  #closeFile(): void {
    this.#closeBlock();
    this.#counted += this.#file.isCut ? this.#inLines : this.#changeIn(this.#file);
    this.#file = noSides();
    this.#isInFile = false;
    this.#inLines = 0;
  }

  /** Both sides are read in one way: by their comments, or where one of them cannot be, as text. */
  #changeIn({ path, ...sides }: Sides): number {
    const [before, after] = [spelled(path, sides.before), spelled(path, sides.after)];
    const [was, is] = [suppressionsIn(before, this.#kind), suppressionsIn(after, this.#kind)];
    this.#data.add(path, after, is - was);
    if (was === 0 && is === 0) return 0;
    const [from, to] = [commentPlaces(path, before), commentPlaces(path, after)];
    if (from === null || to === null) return is - was;
    return suppressionsIn(to.lines, this.#kind, to.places) - suppressionsIn(from.lines, this.#kind, from.places);
  }
}
