import { git, type GitCall } from './git.ts';

// Names of files need not be text. Here they are strings in latin1, a character for each byte.

/** What git lists with `-z`. */
export async function listNames(args: readonly string[], call: GitCall): Promise<readonly string[]> {
  return namesIn(await git(args, call));
}

/** Names with a null byte after each. */
export const namesIn = (said: Uint8Array): readonly string[] =>
  Buffer.from(said)
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '');

/** Names as git reads them with `-z --stdin`. */
export const inputOf = (names: readonly string[]): Buffer =>
  Buffer.from(names.map((name) => `${name}\0`).join(''), 'latin1');

/** A name for people, and for paths that are text. */
export const nameText = (name: string): string => Buffer.from(name, 'latin1').toString();

/** The repositories within, among lines of `ls-files --stage` or `ls-tree`. */
export const repositoriesAmong = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => /^160000 [^\t]*\t(.*)$/s.exec(line)?.[1] ?? []);
