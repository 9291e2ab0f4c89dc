/** Shorter lines are often written twice independently. */
const MIN_CHARACTERS = 24;
/** A line with fewer words is a bracket, a number or a separator. */
const MIN_WORDS = 3;
/** One such line alone is no chance. */
const LONG_CHARACTERS = 60;
/** So many different lines are no coincidence, either. */
const MIN_LINES = 2;
const MAX_LINES = 20_000;

/** Lines that every test of a language begins with: imports, and names of packages. */
const BOILERPLATE =
  /^(?:(?:import|from|require|use|using|package|#include)\b|export \*|(?:const|let|var) .{1,120}= require\(|#!)/;
const WORD = /[\p{L}\p{N}_]{2,}/gu;

/**
 * The lines of held-out texts by which a copy is known: long enough, of several words, and no import. Each once, with
 * its white space as single spaces.
 *
 * @example
 * distinctiveLines(["import test from 'node:test';\nassert.equal(sum(20, 22), 42, 'sums two numbers');"]).length; // 1
 */
export function distinctiveLines(texts: readonly string[]): readonly string[] {
  const lines = texts.flatMap((text) => text.split('\n').map(squeezed)).filter(isDistinctive);
  return [...new Set(lines)].slice(0, MAX_LINES);
}

const squeezed = (line: string): string => line.replace(/\s+/g, ' ').trim();

const isDistinctive = (line: string): boolean =>
  line.length >= MIN_CHARACTERS && !BOILERPLATE.test(line) && (line.match(WORD)?.length ?? 0) >= MIN_WORDS;

/** Finds the lines of a set in texts that come one after the other. */
export class LineSearch {
  readonly #byStart: ReadonlyMap<string, readonly string[]>;
  readonly #found = new Set<string>();

  constructor(lines: readonly string[]) {
    this.#byStart = Map.groupBy(lines, (line) => line.slice(0, MIN_CHARACTERS));
  }

  /** The lines that the texts so far contain, anywhere in a line. */
  get found(): readonly string[] {
    return [...this.#found];
  }

  look(text: string): void {
    if (text.length < MIN_CHARACTERS || this.#byStart.size === 0) return;
    const flat = squeezed(text);
    for (let at = 0; at + MIN_CHARACTERS <= flat.length; at += 1) {
      for (const line of this.#byStart.get(flat.slice(at, at + MIN_CHARACTERS)) ?? []) {
        if (flat.startsWith(line, at)) this.#found.add(line);
      }
    }
  }
}

/** Whether lines that were found are too many, or one of them too long, for a chance. `of`: how many there are. */
export const isContaminated = (found: readonly string[], of: number): boolean =>
  (found.length > 0 && found.length >= Math.min(MIN_LINES, of)) ||
  found.some(({ length }) => length >= LONG_CHARACTERS);
