import { head } from '../../text/excerpt.ts';
import { shellWords } from '../../text/shell-words.ts';
import { invocation } from './invocation.ts';

/** The words of a command that starts this program in the way it was started now. */
export const thisProgram = (): readonly string[] =>
  invocation({ file: process.argv[1] ?? 'loopfold', execPath: process.execPath, cwd: process.cwd(), env: process.env });

/** A command, for a user to paste, that continues with the same folder and log, unless it names its own log. */
export function again(
  words: readonly string[],
  { directory, log }: { readonly directory?: string; readonly log?: string } = {},
): string {
  const about = [
    ...(directory === undefined ? [] : ['-C', directory]),
    ...(log === undefined || words.includes('--log') ? [] : ['--log', log]),
  ];
  return shellWords([...thisProgram(), ...words, ...about]);
}

/** A longer word, such as a whole task, is cut where a command is repeated. */
const MAX_WORD_CHARS = 300;

/** A command, for a user to paste: what was typed, with more flags. */
export function withFlags(words: readonly string[], more: readonly string[]): string {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const typed = words.map((word) => head(word, MAX_WORD_CHARS));
  return shellWords([...thisProgram(), ...typed.toSpliced(end, 0, ...more)]);
}
