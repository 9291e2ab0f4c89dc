import { isReading, withoutLaunchers } from '../evidence/reading-commands.ts';
import { partsOf, wordsOf } from '../evidence/shell-syntax.ts';
import { writesIntoFile } from './writing-commands.ts';

/** Readers for a check, which change or test something for an agent. */
const DOES: ReadonlySet<string> = new Set('test [ [[ true false rm mkdir touch git sed awk'.split(' '));
const GIT_LOOKS: ReadonlySet<string> = new Set('status log show diff grep blame ls-files branch rev-parse'.split(' '));
const COMPILES = /tsc|tsgo|lint|mypy|pyright|flake8|gcc|g\+\+|clang|rustc|javac|go|cargo|check|compile/;

/**
 * Tells of a command that is not there to change something whether it reads what is there, and does no more: no test
 * and no compiler runs, and its output goes into no file.
 */
export const readsOnly = (command: string): boolean =>
  !writesIntoFile(command) && partsOf(command).every((part) => part.type !== 'Command' || looks(wordsOf(part)));

function looks(words: readonly string[]): boolean {
  const own = withoutLaunchers(words);
  const [program = '', ...rest] = own;
  if (program === 'git') return rest.some((word) => GIT_LOOKS.has(word));
  if (program === 'cd' || program === 'pwd' || program === 'which' || program === 'tree') return true;
  if (program === 'sed' || program === 'awk') return !rest.some((word) => /^-[a-zA-Z]*i/.test(word));
  return !DOES.has(program) && !COMPILES.test(program) && isReading(own);
}
