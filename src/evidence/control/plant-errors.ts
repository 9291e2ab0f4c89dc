import { errorTexts } from './error-texts.ts';

/**
 * Texts of a file with an error at their end, softest first: what a linter or formatter reports, what a compiler does,
 * and what cannot be read at all. None where its language is not known.
 *
 * @example
 * plantedErrors('a.js', 'f();\n', 'k1'); // ['f();\n\nvar   k1  =k1undefined\n', 'f();\n\nk1 k1 (\n']
 */
export const plantedErrors = (path: string, text: string, label: string): readonly string[] =>
  errorTexts(path).map((error) => `${readOn(path, text)}\n${error.replaceAll('LABEL', label)}\n`);

/** A text whose end is code: after its last mark, PHP has text for the page. */
const readOn = (path: string, text: string): string =>
  path.toLowerCase().endsWith('.php') && text.lastIndexOf('?>') > text.lastIndexOf('<?') ? `${text}<?php` : text;

/** The result of a check, as far as it matters here. */
interface CheckOutput {
  readonly passed: boolean;
  readonly output: string;
}

/** A check without an error in a file, and with it. */
export interface PlantedCheck {
  readonly before: CheckOutput;
  readonly after: CheckOutput;
  /** The word that only the error has. */
  readonly label: string;
  readonly path: string;
}

/**
 * Whether a check has noticed an error that was planted: it fails for that alone, or it failed before and now names the
 * error, or a line of the file that it did not name before.
 */
export function isNoticed({ before, after, label, path }: PlantedCheck): boolean {
  if (after.passed) return false;
  if (before.passed || after.output.includes(label)) return true;
  const known = linesOf(path, before.output);
  return [...linesOf(path, after.output)].some((line) => !known.has(line));
}

/** The lines of a file that an output names, as compilers do: `a.ts:3`, `a.ts(3,1)`. */
const linesOf = (path: string, output: string): ReadonlySet<string> =>
  new Set(
    output
      .split(path)
      .slice(1)
      .flatMap((after) => /^(?:[:(]|", line )(\d+)/.exec(after)?.[1] ?? []),
  );
