import { posix } from 'node:path';

/** Calls that read a file, with the first text among their arguments. */
const READS: readonly RegExp[] = [
  /\b(?:readFileSync|readFile|createReadStream|openSync|open|file_get_contents|ReadFile|read_to_string|File\.read)\s*\(([^;\n]{0,200})/g,
  /\b(?:Path|URL)\s*\(([^;\n]{0,200}?)\)\s*\.(?:read_text|read_bytes|open)\b/g,
];
const TEXTS = /(['"`])((?:(?!\1)[^\\\n]){1,200})\1/g;

/**
 * The sources whose text a test reads, by the paths that it names: it would say how something is written, and not what
 * it does. `isSource`: whether the project has code at a path.
 *
 * @example
 * sourceTexts('test/a.test.js', "readFileSync('src/a.js', 'utf8')", (path) => path === 'src/a.js'); // ['src/a.js']
 */
export function sourceTexts(path: string, text: string, isSource: (path: string) => boolean): readonly string[] {
  const named = READS.flatMap((read) => [...text.matchAll(read)]).flatMap(([, words = '']) =>
    [...words.matchAll(TEXTS)].map(([, , said = '']) => said),
  );
  const places = named.flatMap((said) => [
    posix.normalize(said),
    posix.join(posix.dirname(path), said),
    said.replace(/^(?:\.\.?\/)+/, ''),
  ]);
  return [...new Set(places.filter(isSource))];
}
