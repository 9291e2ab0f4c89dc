import { invocation, shellWords } from './invocation.ts';

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
