/**
 * The known name closest to a misspelt one, or null when none is close. Case, dashes and underscores do not
 * count.
 *
 * @example
 * nearest('max-stpes', ['maxSteps', 'maxTokens']); // 'maxSteps'
 */
export function nearest(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Infinity;
  for (const name of known) {
    const distance =
      OTHER_WORDS.get(letters(word)) === name.toLowerCase() ? 0 : closeness(letters(word), letters(name));
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** What is meant though no letter says so: on the command line, a check is a `--verify`. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([['verify', 'checks']]);

/** Edits between two words, or infinity where more than a third of the known one would have to change. */
function closeness(word: string, known: string): number {
  const tolerance = Math.max(1, Math.floor(known.length / 3));
  if (Math.abs(word.length - known.length) > tolerance) return Infinity;
  const distance = editDistance(word, known);
  return distance <= tolerance ? distance : Infinity;
}

const letters = (name: string) => name.replace(/[-_\s]/g, '').toLowerCase();

/**
 * Damerau-Levenshtein, restricted: insertions, deletions, substitutions, and swaps of neighbours that are not edited
 * again.
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const differs = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + differs,
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

const at = (row: readonly number[], column: number) => row[column] ?? Infinity;
