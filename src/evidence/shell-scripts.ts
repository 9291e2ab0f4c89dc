import type { StartedProgram } from './command-words.ts';
import { isMakefile } from './make-includes.ts';
import { joined, nameOf } from './workspace-paths.ts';

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', '.', 'source']);
const MAKES: ReadonlySet<string> = new Set(['make', 'gmake']);
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const OF_SHELL = /^#!.*\b(?:ba|da|z|k)?sh\b/;
const RECIPE = /^\t[@+-]*(.*)$/;

/**
 * The paths of scripts that a program is, or is a shell or `make` for. Some may not be there.
 *
 * @example
 * scriptsRunBy({ folder: '/here', words: ['bash', 'a.sh'], given: [], isReading: false }); // ['/here/a.sh']
 */
export function scriptsRunBy({ folder, words, isReading }: StartedProgram): readonly string[] {
  const [program = '', ...rest] = words;
  const first = rest.find((word) => !word.startsWith('-'));
  const named = [
    ...(program.includes('/') ? [program] : []),
    ...(SHELLS.has(nameOf(program)) && first !== undefined ? [first] : []),
    ...(MAKES.has(nameOf(program)) ? MAKEFILES : []),
  ];
  return isReading ? [] : named.flatMap((text) => (text.startsWith('/') ? text : (joined(folder, text) ?? [])));
}

/** The commands of a shell script, as one text, or of a makefile, line by line. None of another file. */
export function commandsOfScript(path: string, text: string): readonly string[] {
  if (isMakefile(path)) return text.split('\n').flatMap((line) => RECIPE.exec(line)?.[1] ?? []);
  return path.endsWith('.sh') || OF_SHELL.test(text) ? [text] : [];
}
