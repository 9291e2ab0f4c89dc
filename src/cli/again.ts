import { invocation, shellWords } from './invocation.ts';

/** The words that start this program the way it was started now. */
export const thisProgram = (): readonly string[] =>
  invocation({ file: process.argv[1] ?? 'loopfold', execPath: process.execPath, cwd: process.cwd(), env: process.env });

/** A command that a person can paste to go on with the same folder and log. */
export function again(words: readonly string[], { directory, log }: { readonly directory?: string; readonly log?: string } = {}): string {
  const about = [...(directory === undefined ? [] : ['-C', directory]), ...(log === undefined ? [] : ['--log', log])];
  return shellWords([...thisProgram(), ...words, ...about]);
}
